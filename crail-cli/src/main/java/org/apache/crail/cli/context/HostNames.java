/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Asks the resolver of this host about many hosts at once, and waits a little only. Stateless. */
public final class HostNames {
    private static final long LIMIT_MS = 2_000;

    private HostNames() {}

    /** The names of hosts, by their addresses; an address where no name is known in time. */
    public static Map<String, String> of(Collection<String> addresses) {
        return ask(addresses, InetAddress::getCanonicalHostName);
    }

    /** Those of some hosts that do not resolve in time. */
    public static Set<String> unknown(Collection<String> hosts) {
        Set<String> unknown = new LinkedHashSet<>(hosts);
        unknown.removeAll(ask(hosts, InetAddress::getHostAddress).keySet());
        return unknown;
    }

    private static Map<String, String> ask(Collection<String> hosts, Function<InetAddress, String> question) {
        Map<String, CompletableFuture<String>> asked = new LinkedHashMap<>();
        for (String host : hosts) {
            asked.computeIfAbsent(host, key -> ask(key, question));
        }
        Object ignored = CompletableFuture.allOf(asked.values().toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, LIMIT_MS, TimeUnit.MILLISECONDS)
                .join();
        Map<String, String> known = new LinkedHashMap<>();
        asked.forEach((host, answer) -> {
            String text = answer.getNow("");
            if (!text.isEmpty()) {
                known.put(host, text);
            }
        });
        return known;
    }

    private static CompletableFuture<String> ask(String host, Function<InetAddress, String> question) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread thread = new Thread(() -> answer.complete(answer(host, question)), "resolve " + host);
        thread.setDaemon(true); // the command ends also if no answer comes
        thread.start();
        return answer;
    }

    private static String answer(String host, Function<InetAddress, String> question) {
        try {
            return question.apply(InetAddress.getByName(host));
        } catch (UnknownHostException e) {
            return "";
        }
    }
}
