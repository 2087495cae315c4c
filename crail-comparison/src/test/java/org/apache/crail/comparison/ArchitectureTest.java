/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The arrows between the modules, see docs/architecture.md. It stands here as only this module has all others on its
 * class path.
 */
@AnalyzeClasses(packages = "org.apache.crail", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    /** What each module may use, and with it all that those may use. Everything else is forbidden. */
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            entry("crail-api", Set.of()),
            entry("crail-rpc", Set.of("crail-api")),
            entry("crail-local", Set.of("crail-api")),
            entry("crail-storage", Set.of("crail-rpc", "crail-local")),
            entry("crail-verbs", Set.of()),
            entry("crail-netty", Set.of("crail-rpc", "crail-storage")),
            entry("crail-rpc-darpc", Set.of("crail-rpc", "crail-verbs")),
            entry("crail-storage-rdma", Set.of("crail-storage", "crail-verbs")),
            entry("crail-storage-nvmf", Set.of("crail-storage", "crail-verbs")),
            entry("crail-namenode", Set.of("crail-rpc")),
            entry("crail-client", Set.of("crail-rpc", "crail-storage", "crail-netty")),
            entry("crail-hdfs-adapter", Set.of("crail-api")),
            entry("crail-spark", Set.of("crail-api")),
            entry("crail-cli", allServersAndClients()),
            entry("crail-testkit", allServersAndClients()),
            entry("crail-simulation", Set.of("crail-client", "crail-namenode")),
            entry("crail-benchmarks", Set.of("crail-cli")),
            entry("crail-comparison", Set.of("crail-benchmarks")));

    /** A module's name as its directory or the begin of its jar's name. */
    private static final Pattern SOURCE = Pattern.compile(".*/(crail-[a-z-]+)(/target/|-[0-9]).*");

    /** The two that set the constants, and the helpers that old programs call. */
    private static final Set<String> SERVES_OLD_PROGRAMS = Set.of(
            "org.apache.crail.CrailStore",
            "org.apache.crail.StoreRegistry",
            "org.apache.crail.core.CoreStoreProvider",
            "org.apache.crail.utils.CrailUtils");

    private static final int MOST_FIELDS = 15;

    /** State machines that have more fields and are to shrink, and the options of a command. */
    private static final Set<String> MAY_HAVE_MORE_FIELDS = Set.of(
            "org.apache.crail.storage.nvmf.SectorSession",
            "org.apache.crail.namenode.rpc.darpc.ClientChannel",
            "org.apache.crail.namenode.rpc.darpc.ServerChannel",
            "org.apache.crail.namenode.block.DatanodeLife",
            "org.apache.crail.storage.rdma.LinkSession",
            "org.apache.crail.storage.device.DeviceLoop",
            "org.apache.crail.rpc.client.SessionKeeper",
            "org.apache.crail.cli.iobench.BenchOptions");

    @ArchTest
    static final ArchRule MODULES_USE_WHAT_THEY_MAY = classes().should(useOnlyWhatTheirModuleMay());

    @ArchTest
    static final ArchRule ONLY_NETTY_KNOWS_NETTY = onlyIn("io.netty..", "crail-netty");

    @ArchTest
    static final ArchRule ONLY_THE_DARPC_TRANSPORT_KNOWS_DARPC = onlyIn("com.ibm.darpc..", "crail-rpc-darpc");

    @ArchTest
    static final ArchRule ONLY_THE_NVMF_TIER_AND_ITS_BENCHMARK_KNOW_JNVMF =
            onlyIn("com.ibm.jnvmf..", "crail-storage-nvmf", "crail-benchmarks");

    @ArchTest
    static final ArchRule NO_CYCLES_BETWEEN_PARTS_OF_A_SERVER = slices().matching(
                    "org.apache.crail.(namenode|rpc|storage).(*)..")
            .should()
            .beFreeOfCycles();

    /** What is left are names of Crail 1.x, and the provider that its entry point asks for a store. */
    @ArchTest
    static final ArchRule NO_CIRCLES_BETWEEN_PACKAGES_OF_A_MODULE = slices().assignedFrom(packagesOfModules())
            .should()
            .beFreeOfCycles()
            .ignoreDependency("org.apache.crail.metadata.FileInfo", "org.apache.crail.CrailNodeType")
            .ignoreDependency("org.apache.crail.metadata.FileName", "org.apache.crail.CrailPath")
            .ignoreDependency("org.apache.crail.CrailPurgeOperation", "org.apache.crail.utils.MultiFuture")
            .ignoreDependency("org.apache.crail.StoreRegistry", "org.apache.crail.spi.CrailStoreProvider");

    /** The operations of the namenode translate between messages and what it keeps. */
    @ArchTest
    static final ArchRule NODES_AND_BLOCKS_KNOW_NO_MESSAGES = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.apache.crail.namenode.tree..",
                    "org.apache.crail.namenode.allocation..",
                    "org.apache.crail.namenode.block..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.crail.rpc..");

    /**
     * D31: nobody consults the process-wide constants; they are there for old programs and are set when a store opens.
     */
    @ArchTest
    static final ArchRule CONSTANTS_ARE_FOR_OLD_PROGRAMS = noClasses()
            .that()
            .resideOutsideOfPackage("org.apache.crail.conf..")
            .and(DescribedPredicate.describe(
                    "do not serve old programs", type -> !SERVES_OLD_PROGRAMS.contains(type.getName())))
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("org.apache.crail.conf.CrailConstants");

    @ArchTest
    static final ArchRule ONLY_COMMANDS_PRINT = noClasses()
            .that(notIn("crail-cli", "crail-simulation", "crail-benchmarks", "crail-comparison"))
            .and()
            .doNotHaveFullyQualifiedName("org.apache.crail.testkit.servers.ServerAgent")
            .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule CLASSES_HAVE_FEW_FIELDS = classes()
            .that(DescribedPredicate.describe(
                    "are written by hand and not known to be large",
                    type -> !MAY_HAVE_MORE_FIELDS.contains(type.getName())
                            && !type.getPackageName().endsWith(".jmh_generated")))
            .should(haveFewFields());

    @ArchTest
    static final ArchRule LOGS_GO_THROUGH_SLF4J = GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

    /** A module that is not on the class path, or not in the table, would be checked by nobody. */
    @ArchTest
    static void shouldCheckEveryModule(JavaClasses all) throws IOException {
        try (Stream<Path> siblings = Files.list(Path.of(".."))) {
            assertThat(siblings.filter(module -> Files.exists(module.resolve("src/main/java")))
                            .map(module -> module.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(MAY_USE.keySet());
        }
        assertThat(all.stream().map(ArchitectureTest::module).collect(toSet())).isEqualTo(MAY_USE.keySet());
    }

    private static Set<String> allServersAndClients() {
        return Set.of("crail-client", "crail-namenode", "crail-rpc-darpc", "crail-storage-rdma", "crail-storage-nvmf");
    }

    /** Packages of one name in two modules are two: arrows between modules are the matter of another rule. */
    private static SliceAssignment packagesOfModules() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return SliceIdentifier.of(module(type), type.getPackageName());
            }

            @Override
            public String getDescription() {
                return "packages of modules";
            }
        };
    }

    private static ArchCondition<JavaClass> useOnlyWhatTheirModuleMay() {
        return new ArchCondition<>("use only what their module may use") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass used = dependency.getTargetClass().getBaseComponentType();
                    if (used.getPackageName().startsWith("org.apache.crail") && !mayUse(module(type), module(used))) {
                        events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static ArchCondition<JavaClass> haveFewFields() {
        return new ArchCondition<>("have at most " + MOST_FIELDS + " fields") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                long fields = type.getFields().stream()
                        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC)
                                && !field.getModifiers().contains(JavaModifier.SYNTHETIC))
                        .count();
                if (fields > MOST_FIELDS) {
                    events.add(SimpleConditionEvent.violated(type, type.getName() + " has " + fields + " fields"));
                }
            }
        };
    }

    private static boolean mayUse(String module, String used) {
        return module.equals(used) || MAY_USE.get(module).stream().anyMatch(next -> mayUse(next, used));
    }

    private static ArchRule onlyIn(String library, String... modules) {
        return noClasses().that(notIn(modules)).should().dependOnClassesThat().resideInAPackage(library);
    }

    private static DescribedPredicate<JavaClass> notIn(String... modules) {
        return DescribedPredicate.describe(
                "are not in " + Set.of(modules), type -> !Set.of(modules).contains(module(type)));
    }

    private static String module(JavaClass type) {
        Matcher source = SOURCE.matcher(
                type.getSource().map(found -> found.getUri().toString()).orElse(""));
        return source.matches() ? source.group(1) : "no module, as " + type.getName();
    }
}
