package pollution;

import java.util.HashMap;
import java.util.Map;

/** PolDet, figure 5. */
class PotionEffectType {
    private static final Map<String, PotionEffectType> byName = new HashMap<>();

    static {
        register(new PotionEffectType(1, "speed"));
    }

    final int id;
    final String name;

    PotionEffectType(int id, String name) {
        this.id = id;
        this.name = name;
    }

    static void register(PotionEffectType type) {
        byName.put(type.name, type);
    }

    static PotionEffectType getByName(String name) {
        return byName.get(name);
    }

    static void unregister(String name) {
        byName.remove(name);
    }
}
