/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.context.Stores;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.error.NodeNotFoundException;

/** The namespaces that paths of a command lead to: that of the configuration, and those of addresses. One thread. */
final class Trees {
    private static final String SCHEME = "crail://";

    private final Stores stores;
    private final CrailConfiguration conf;
    private final Map<String, NamespaceTree> trees = new HashMap<>();

    Trees(Stores stores, CrailConfiguration conf) {
        this.stores = stores;
        this.conf = conf;
    }

    CrailConfiguration configuration() {
        return conf;
    }

    /** The paths that a text names: itself, or if it is a pattern all that exist and match it, by name. */
    List<RemotePath> matches(String text) throws Exception {
        RemoteText remote = RemoteText.parse(text);
        NamespaceTree tree = tree(remote.namenode());
        if (!Glob.isPattern(remote.path())) {
            return List.of(new RemotePath(tree, CrailPath.parse(Glob.literal(remote.path()))));
        }
        Map<String, RemotePath> found = new TreeMap<>(Comparator.naturalOrder());
        for (String pattern : Glob.alternatives(remote.path())) {
            matches(tree, pattern).forEach(path -> found.put(path.toString(), new RemotePath(tree, path)));
        }
        return List.copyOf(found.values());
    }

    private static Collection<CrailPath> matches(NamespaceTree tree, String pattern) throws Exception {
        List<CrailPath> level = List.of(CrailPath.ROOT);
        for (String component : pattern.split("/", -1)) {
            if (!component.isEmpty()) {
                level = below(tree, level, component);
            }
        }
        return level;
    }

    private static List<CrailPath> below(NamespaceTree tree, List<CrailPath> parents, String component)
            throws Exception {
        List<CrailPath> found = new ArrayList<>();
        Predicate<String> names = Glob.isPattern(component) ? Glob.names(component, false) : null;
        for (CrailPath parent : parents) {
            if (names != null) {
                found.addAll(tree.childPaths(parent, names));
            } else if (tree.exists(parent.child(Glob.literal(component)))) {
                found.add(parent.child(Glob.literal(component)));
            }
        }
        return found;
    }

    /** As {@link #matches}, at least one. */
    List<RemotePath> expand(String text) throws Exception {
        List<RemotePath> paths = matches(text);
        if (paths.isEmpty()) {
            throw new NodeNotFoundException("no path matches " + text
                    + "; see what is there with crail fs -ls, and write \\ before a character of a name like *?[{");
        }
        return paths;
    }

    /** The path that a text names, which need not exist unless the text is a pattern. */
    RemotePath target(String text) throws Exception {
        List<RemotePath> paths = expand(text);
        if (paths.size() > 1) {
            throw new InvalidPathException(text + " matches " + paths.size() + " paths, " + paths.get(0) + " and "
                    + paths.get(1) + " among them; name one");
        }
        return paths.get(0);
    }

    private NamespaceTree tree(String namenode) throws Exception {
        String key = isHome(namenode) ? "" : namenode;
        NamespaceTree tree = trees.get(key);
        if (tree == null) {
            tree = key.isEmpty() ? open(conf, "") : foreign(namenode);
            trees.put(key, tree);
        }
        return tree;
    }

    private NamespaceTree open(CrailConfiguration of, String prefix) throws Exception {
        try {
            return new NamespaceTree(stores.of(of), of, prefix);
        } catch (IOException e) {
            throw new NotOpenedException(e);
        }
    }

    private boolean isHome(String namenode) throws CrailException {
        for (URI uri : conf.get(CrailKeys.NAMENODE_ADDRESS)) {
            if (namenode.equals(uri.getAuthority())) {
                return true;
            }
        }
        return namenode.isEmpty();
    }

    private NamespaceTree foreign(String namenode) throws Exception {
        CrailConfiguration other = conf.copy();
        other.set(CrailKeys.NAMENODE_ADDRESS.name(), SCHEME + namenode);
        return open(other, SCHEME + namenode);
    }

    /** Carries why a store could not be opened: that ends a command, whatever other paths it has. */
    static final class NotOpenedException extends UncheckedIOException {
        private static final long serialVersionUID = 1L;

        private NotOpenedException(IOException cause) {
            super("the store was not opened", cause);
        }
    }
}
