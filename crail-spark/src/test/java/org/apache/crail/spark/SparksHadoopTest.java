/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The file system for Hadoop beside the Hadoop that Spark brings, an older one than it is compiled against. */
class SparksHadoopTest {
    /** No Hadoop without them asks for them. */
    private static final String VECTORED_READS = "org.apache.hadoop.fs.FileRange";

    private static SparkCluster cluster;
    private static FileSystem files;

    @BeforeAll
    static void start() throws Exception {
        assertThat(VersionInfo.getVersion()).startsWith("3.3.");
        cluster = SparkCluster.start(1);
        Configuration conf = new Configuration();
        cluster.servers().configuration().asMap().forEach(conf::set);
        files = FileSystem.newInstance(new Path("crail:///").toUri(), conf);
    }

    @AfterAll
    static void stop() throws Exception {
        files.close();
        cluster.close();
    }

    /** What is compiled against a newer Hadoop may name members that an older one has not, or has of another type. */
    @Test
    void shouldUseOnlyWhatIsThere() {
        List<String> missing = new ArrayList<>();
        for (JavaClass each : new ClassFileImporter().importPackages("org.apache.crail.hdfs")) {
            for (JavaAccess<?> access : each.getAccessesFromSelf()) {
                if (isHadoops(access.getTarget()) && !isThere(access.getTarget())) {
                    missing.add(access.getDescription());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /** Whether it is a member of Hadoop, inherited ones among them, but for what is not there as a whole. */
    private static boolean isHadoops(AccessTarget target) {
        String owner = target.getOwner().getName();
        return (owner.startsWith("org.apache.hadoop.") || owner.startsWith("org.apache.crail.hdfs."))
                && !VECTORED_READS.equals(owner);
    }

    private static boolean isThere(AccessTarget target) {
        Optional<? extends JavaMember> member = target.resolveMember().map(JavaMember.class::cast);
        return member.isPresent()
                && (!(target instanceof AccessTarget.FieldAccessTarget field)
                        || ((JavaField) member.get()).getRawType().equals(field.getRawType()));
    }

    @Test
    void shouldRefuseARename() throws Exception {
        files.create(new Path("/from")).close();
        files.create(new Path("/to")).close();
        assertThat(files.rename(new Path("/from"), new Path("/to"))).isFalse();
        assertThat(files.rename(new Path("/missing"), new Path("/elsewhere"))).isFalse();
    }
}
