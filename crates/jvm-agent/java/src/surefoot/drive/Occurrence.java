package surefoot.drive;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One execution of a node of the test tree. A class, a method or a template occurs as often as the order of an experiment
 * needs: {@code A.m, B.n, A.m} is two occurrences of A with one of m in each; {@code A.m, A.m} one of A with two of m.
 */
final class Occurrence {
    final String id;
    final List<Occurrence> children = new ArrayList<>();

    /** For a node that makes its tests while it executes: those wanted, in the order it will make them. */
    final List<String> made = new ArrayList<>();

    private final Making making;

    private Occurrence(String id, Making making) {
        this.id = id;
        this.making = making;
    }

    /** How many of the same node come before it. */
    int number;

    /** All that it makes is wanted. */
    boolean whole;

    /** @param known unique ids of the nodes that discovery found; of a parameterised test only the method is known */
    static Occurrence tree(Experiment experiment, Set<String> known, Making making) {
        Occurrence root = new Occurrence("", making);
        boolean first = true;
        for (String address : experiment.addresses) {
            Occurrence maker = root.add(address, known, first || !experiment.setupPerRun);
            if (maker != null) {
                maker.whole = experiment.whole.contains(maker.id);
            }
            first = false;
        }
        return root;
    }

    /** Returns the node that will make the test, unless it is known itself. */
    private Occurrence add(String address, Set<String> known, boolean mayJoin) {
        List<String> path = knownPath(address, known);
        Occurrence node = this;
        for (int depth = 0; depth < path.size(); depth++) {
            String id = path.get(depth);
            boolean leaf = depth == path.size() - 1;
            Occurrence last = node.children.isEmpty() ? null : node.children.get(node.children.size() - 1);
            // Engines run one after the other whatever the order, so an engine occurs once.
            boolean joins = last != null && last.id.equals(id) && (mayJoin || depth == 0) && (!leaf || last.canMake(address));
            if (depth == 0 && !joins) {
                joins = (last = node.child(id)) != null;
            }
            if (!joins) {
                last = new Occurrence(id, making);
                node.children.add(last);
            }
            node = last;
        }
        if (path.isEmpty() || node.id.equals(address)) {
            return null;
        }
        node.made.add(address);
        return node;
    }

    private Occurrence child(String id) {
        for (Occurrence child : children) {
            if (child.id.equals(id)) {
                return child;
            }
        }
        return null;
    }

    /** A template makes each test once, in its own order. */
    private boolean canMake(String address) {
        return !made.isEmpty() && making.compare(made.get(made.size() - 1), address) < 0;
    }

    /** The known nodes on the way to an address, from its engine down; empty if even the engine is unknown. */
    private static List<String> knownPath(String address, Set<String> known) {
        List<String> path = new ArrayList<>();
        String maker = Making.maker(address);
        for (int at = address.indexOf("]/["); ; at = address.indexOf("]/[", at + 1)) {
            String prefix = at < 0 ? address : address.substring(0, at + 1);
            if (known.contains(prefix)) {
                path.add(prefix);
            }
            if (at < 0 || prefix.length() >= maker.length()) {
                // An engine alone means that the test below it is gone.
                return path.size() > 1 ? path : new ArrayList<String>();
            }
        }
    }
}
