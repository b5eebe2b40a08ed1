//! Code that no compiler of today writes: subroutines, returns that leave things on the stack.

/// The static initialiser of a class that has nothing else.
pub(crate) struct Initialiser {
    pub(crate) name: &'static str,
    pub(crate) max_stack: u8,
    pub(crate) code: &'static [u8],
    /// Start, end and handler of what catches everything.
    pub(crate) handler: Option<[u8; 3]>,
}

/// They need no frames before version 50, and each of them returns.
#[rustfmt::skip]
pub(crate) const INITIALISERS: [Initialiser; 7] = [
    Initialiser {
        name: "Subroutine",
        max_stack: 1,
        code: &[
            0xA8, 0, 4,                             // jsr 4
            0xB1,                                   // return
            0x4B,                                   // 4: astore_0
            0xA9, 0,                                // ret 0
        ],
        handler: None,
    },
    Initialiser {
        name: "WideSubroutine",
        max_stack: 1,
        code: &[
            0xC9, 0, 0, 0, 6,                       // jsr_w 6
            0xB1,                                   // return
            0x4B,                                   // 6: astore_0
            0xC4, 0xA9, 0, 0,                       // wide ret 0
        ],
        handler: None,
    },
    Initialiser {
        name: "StackFullOfNumbers",
        max_stack: 5,
        code: &[0x03, 0x09, 0x0E, 0xB1], // iconst_0, lconst_0, dconst_0, return
        handler: None,
    },
    Initialiser {
        name: "HandlerThatIsAReturn",
        max_stack: 1,
        code: &[0x01, 0xBF, 0xB1], // aconst_null, athrow, return
        handler: Some([0, 2, 2]),
    },
    Initialiser {
        name: "ReturnInsideATry",
        max_stack: 1,
        code: &[0x00, 0xB1, 0x57, 0xB1], // nop, return, 2: pop, return
        handler: Some([0, 2, 2]),
    },
    Initialiser {
        name: "JumpBackToAReturn",
        max_stack: 1,
        code: &[
            0x04,                                   // iconst_1
            0x9A, 0, 4,                             // ifne 5
            0xB1,                                   // 4: return
            0xA7, 0xFF, 0xFF,                       // 5: goto 4
        ],
        handler: None,
    },
    Initialiser {
        name: "SwitchesToReturns",
        max_stack: 1,
        code: &[
            0x05,                                   // iconst_2
            0xAA, 0, 0,                             // 1: tableswitch
            0, 0, 0, 23,                            // default: 24
            0, 0, 0, 1, 0, 0, 0, 2,                 // 1 .. 2
            0, 0, 0, 24,                            // 25
            0, 0, 0, 25,                            // 26
            0xB1,                                   // 24: return
            0xB1,                                   // 25: return
            0x02,                                   // 26: iconst_m1
            0xAB,                                   // 27: lookupswitch
            0, 0, 0, 17,                            // default: 44
            0, 0, 0, 1,                             // one pair
            0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 18,    // -1: 45
            0xB1,                                   // 44: return
            0xB1,                                   // 45: return
        ],
        handler: None,
    },
];

/// The class file of a class `name` with this static initialiser.
pub(crate) fn assemble(name: &str, version: [u8; 4], initialiser: &Initialiser) -> Vec<u8> {
    let utf8 = |text: &str| {
        let length = u16::try_from(text.len()).expect("names are short").to_be_bytes();
        [&[1], &length[..], text.as_bytes()].concat()
    };
    let Initialiser { max_stack, code, handler, .. } = initialiser;
    let handlers: Vec<u8> = handler.iter().flatten().flat_map(|&offset| [0, offset]).collect();
    let handlers = match handler {
        Some(_) => [&[0, 1], &handlers[..], &[0, 0]].concat(),
        None => vec![0, 0],
    };
    let attribute = [
        &[0, *max_stack, 0, 1][..], // one local variable
        &[0, 0, 0, u8::try_from(code.len()).expect("code is short")],
        code,
        &handlers,
        &[0, 0],
    ]
    .concat();
    [
        &[0xCA, 0xFE, 0xBA, 0xBE][..],
        &version,
        &[0, 8],
        &utf8(name),
        &[7, 0, 1],
        &utf8("java/lang/Object"),
        &[7, 0, 3],
        &utf8("<clinit>"),
        &utf8("()V"),
        &utf8("Code"),
        &[0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0], // a public class without interfaces and fields
        &[0, 1, 0, 8, 0, 5, 0, 6, 0, 1],    // a static method
        &[0, 7, 0, 0, 0, u8::try_from(attribute.len()).expect("code is short")],
        &attribute,
        &[0, 0],
    ]
    .concat()
}
