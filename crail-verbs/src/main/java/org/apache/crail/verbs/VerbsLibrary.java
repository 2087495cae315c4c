/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes {@code System.loadLibrary("disni")}, which DiSNI calls by itself, succeed. On {@code java.library.path} the JVM
 * finds the library without help. Otherwise it is taken from the platform jar, loaded by its path, and asked to make
 * its symbols global: it defines {@code JNI_OnLoad_disni}, so the JVM then takes "disni" for a library that is linked
 * into the process. Thread safe.
 */
final class VerbsLibrary {
    static final String NAME = "disni";
    private static final Logger LOG = LoggerFactory.getLogger(VerbsLibrary.class);
    private static final String DISPATCHER = "com.ibm.disni.verbs.impl.NativeDispatcher";

    private boolean tried;
    private UnsatisfiedLinkError failure;

    /** Loads the library unless that was tried before. Returns why it could not be loaded, or null. */
    synchronized UnsatisfiedLinkError load() {
        if (!tried) {
            tried = true;
            failure = tryToLoad();
        }
        return failure;
    }

    private static UnsatisfiedLinkError tryToLoad() {
        Path found = onLibraryPath();
        try {
            if (found == null) {
                loadFromPlatformJar();
            } else {
                LOG.debug("using {}", found);
            }
            Class.forName(DISPATCHER, true, NativeVerbs.class.getClassLoader());
            return null;
        } catch (UnsatisfiedLinkError | IllegalCallerException | ClassNotFoundException | IOException e) {
            return explained(found, e);
        } catch (NoClassDefFoundError e) {
            // DiSNI was used before and did not find the library: the JVM never tries again.
            return error(
                    "DiSNI was used in this process before its library could be loaded, and failed; call NativeVerbs.load() "
                            + "before the first use of DiSNI",
                    e);
        }
    }

    private static UnsatisfiedLinkError explained(Path found, Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        String fix;
        if (cause instanceof IllegalCallerException) {
            fix = "start Java with --enable-native-access=ALL-UNNAMED";
        } else if (message.contains("libibverbs") || message.contains("librdmacm")) {
            fix = "install the RDMA user space libraries (Debian packages: libibverbs1 librdmacm1 ibverbs-providers)";
        } else if (found == null) {
            fix = "put " + platformJar() + " on the class path, or name the directory that holds "
                    + System.mapLibraryName(NAME) + " with -Djava.library.path";
        } else {
            fix = "put the library of this platform in its place";
        }
        String what = found == null ? System.mapLibraryName(NAME) : found.toString();
        return error(
                "RDMA needs the native library " + what + ", but it cannot be loaded (" + message + "); " + fix, cause);
    }

    private static UnsatisfiedLinkError error(String message, Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
        error.initCause(cause);
        return error;
    }

    private static Path onLibraryPath() {
        for (String directory : System.getProperty("java.library.path", "").split(File.pathSeparator, -1)) {
            Path candidate = Path.of(directory, System.mapLibraryName(NAME));
            if (!directory.isEmpty() && Files.isRegularFile(candidate)) {
                return candidate.toAbsolutePath();
            }
        }
        return null;
    }

    private static void loadFromPlatformJar() throws IOException {
        String resource = "/META-INF/native/" + platform() + "/" + System.mapLibraryName(NAME);
        try (InputStream content = NativeVerbs.class.getResourceAsStream(resource)) {
            if (content == null) {
                throw new IOException("neither java.library.path=" + System.getProperty("java.library.path")
                        + " nor the class path has it, there as " + resource.substring(1));
            }
            Path directory = Files.createTempDirectory("crail-verbs-");
            Path library = directory.resolve(System.mapLibraryName(NAME));
            try {
                Files.copy(content, library);
                loadGlobally(library);
            } finally {
                Files.deleteIfExists(library);
                Files.deleteIfExists(directory);
            }
        }
    }

    private static void loadGlobally(Path library) {
        LOG.debug("loading {}, taken from the class path", library);
        System.load(library.toString());
        VerbsNatives.makeGlobal();
    }

    private static String platformJar() {
        return "crail-verbs-VERSION-" + platform() + ".jar";
    }

    /**
     * The platform as its jar and the directories of the distribution name it, with the kernel's name of the
     * architecture.
     */
    static String platform() {
        String architecture = System.getProperty("os.arch");
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).split(" ", -1)[0] + "-"
                + ("amd64".equals(architecture) ? "x86_64" : architecture);
    }
}
