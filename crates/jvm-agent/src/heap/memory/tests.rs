use super::*;

fn object(number: u32) -> Thing {
    Thing::object(number).unwrap()
}

fn told(memory: &Memory, thing: Thing, holder: Holder) -> Option<Vec<Content>> {
    let begin = memory.recorded(thing)?;
    let mut told = Vec::new();
    memory.for_each(begin, holder, |content| told.push(content));
    Some(told)
}

#[test]
fn what_was_recorded_is_told_in_the_order_of_the_fields() {
    let mut memory = Memory::new(&[16; 8]);
    let holder = Holder::Object(3);
    let slot = |number, primitive| Slot { number, primitive, offset: 12 };
    let slots = [slot(5, None), slot(6, Some(Primitive::Long(0))), slot(7, None)];
    memory.learn_layout(holder, slots.into()).unwrap();
    assert!(memory.knows_layout(holder, 3) && !memory.knows_layout(holder, 2));
    assert_eq!(memory.layouts()[8..], [2, 12, 12, 1, 12, 6]);

    let [whole, part] = [object(40), object(2)];
    memory.add(whole);
    let part_at = memory.add(part).unwrap();
    let value = u64::MAX - 41;
    memory.record_fields(whole, holder, &[0, part_at], &[value]);
    assert_eq!(
        told(&memory, whole, holder).unwrap(),
        [Content::Primitive(6, Primitive::Long(-42)), Content::Reference(7, part)]
    );
    assert_eq!(told(&memory, part, holder), None);
}

#[test]
fn arrays_are_told_with_their_lengths_and_digests() {
    let mut memory = Memory::new(&[16; 8]);
    let (bytes, list, class) = (object(1), object(2), Thing::class(9).unwrap());
    let class_at = memory.add(class).unwrap();
    memory.add(bytes);
    memory.add(list);
    let array = Array { thing: bytes, length: 3, digest: u128::MAX / 3 };
    memory.record_primitives(Primitive::Byte(0), array, check(b"abc"));
    memory.record_elements(list, &[0, class_at]);
    let any = Holder::Object(0);
    assert_eq!(told(&memory, bytes, any).unwrap(), [Content::Array(array)]);
    let list_of_two = Array { thing: list, length: 2, digest: 0 };
    assert_eq!(
        told(&memory, list, any).unwrap(),
        [Content::Array(list_of_two), Content::Element(1, class)]
    );
}

#[test]
fn a_new_record_takes_the_place_of_the_old_one() {
    let mut memory = Memory::new(&[16; 8]);
    let position = memory.add(object(1)).unwrap();
    memory.record_elements(object(1), &[0]);
    memory.record_elements(object(1), &[position, position]);
    assert_eq!(memory.records(), [4, 0, REFERENCES, 0, 5, 1, REFERENCES, 1, 1]);
    assert!(!memory.is_worn());
    memory.forget(position);
    memory.forget(position);
    assert!(memory.is_worn());
    assert_eq!(memory.recorded(object(1)), None);
}

#[test]
fn a_check_tells_any_byte_from_another_and_where_it_is() {
    let checks = [&b""[..], b"\0", b"12345678", b"12345679", b"123456781", b"112345678"];
    let checks: Vec<u64> = checks.into_iter().map(check).collect();
    let different: std::collections::BTreeSet<&u64> = checks.iter().collect();
    assert_eq!(different.len(), checks.len());
}

#[test]
fn references_are_counted_and_what_was_not_met_is_forgotten() {
    let mut memory = Memory::new(&[16; 8]);
    let [list, kept, dropped] = [object(1), object(2), object(3)];
    let [_, kept_at, dropped_at] = [list, kept, dropped].map(|thing| memory.add(thing).unwrap());
    memory.begin_walk();
    [list, kept, dropped].iter().for_each(|thing| memory.meet(*thing));
    memory.record_elements(list, &[kept_at, dropped_at]);
    memory.record_elements(kept, &[]);
    memory.record_elements(dropped, &[kept_at]);
    assert_eq!([kept, dropped].map(|thing| memory.references_to(thing)), [2, 1]);

    memory.begin_walk();
    memory.record_elements(list, &[kept_at]);
    [list, kept].iter().for_each(|thing| memory.meet(*thing));
    memory.forget_all_but(|_| true);
    assert_eq!([kept, dropped].map(|thing| memory.references_to(thing)), [1, 0]);
    assert_eq!(memory.recorded(dropped), None);
    memory.forget_all_but(|thing| thing != kept);
    assert!(memory.recorded(list).is_some() && memory.recorded(kept).is_none());
}

#[test]
fn referrers_are_known_from_when_they_are_asked_for() {
    let mut memory = Memory::new(&[16; 8]);
    let [first, second, target] = [object(1), object(2), object(3)];
    let [.., target_at] = [first, second, target].map(|thing| memory.add(thing).unwrap());
    memory.record_elements(first, &[0, target_at]);
    memory.index_referrers();
    memory.record_elements(second, &[target_at]);
    let mut holders = Vec::new();
    memory.for_each_holder(target, &mut |holder| holders.push(holder));
    assert_eq!(holders, [first, second]);
    let mut held = Vec::new();
    memory.for_each_held(first, &mut |thing| held.push(thing));
    assert_eq!(held, [target]);
}
