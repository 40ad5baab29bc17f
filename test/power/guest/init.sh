#!/bin/busybox sh
# The first process of the guest: mounts the program (read-only) and the data disk, and runs the server until the power fails.
# /settings is made by test/power/support/guest-image.ts for each run.
say() { echo "guest: $*"; }
fail() { say "FAILED $*"; busybox poweroff -f; }
for module in virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk failover net_failover virtio_net; do
  busybox insmod "/modules/$module.ko" || fail "insmod $module"
done
busybox mount -t devtmpfs devtmpfs /dev
busybox mount -t ext4 -o ro /dev/vda /system || fail "mount the program"
for kind in devtmpfs:dev proc:proc sysfs:sys tmpfs:tmp; do
  busybox mount -t "${kind%:*}" "${kind%:*}" "/system/${kind#*:}" || fail "mount $kind"
done
busybox mkdir /system/dev/shm
busybox mount -t tmpfs tmpfs /system/dev/shm
busybox chmod 1777 /system/tmp /system/dev/shm
busybox ip link set lo up
busybox ip addr add 10.0.2.15/24 dev eth0
busybox ip link set eth0 up
busybox ip route add default via 10.0.2.2

# As every distribution does at boot.
busybox chroot /system /sbin/e2fsck -p /dev/vdb
result=$?
[ "$result" -lt 4 ] || fail "e2fsck $result"
busybox mount -t ext4 /dev/vdb /system/data || fail "mount the data"
say "mounted after $(busybox cut -d ' ' -f 1 /system/proc/uptime) s"

. /settings
if [ -d /system/data/postgres ]; then
  busybox chroot /system /bin/busybox su -s /bin/sh postgres -c "exec $POSTGRES/postgres -D /data/postgres" &
  postgres=$!
  until busybox chroot /system "$POSTGRES/pg_isready" -q -h 10.0.2.15 -U postgres; do
    kill -0 "$postgres" || fail 'PostgreSQL ended'
    busybox usleep 300000
  done
  say "PostgreSQL is ready after $(busybox cut -d ' ' -f 1 /system/proc/uptime) s"
fi
busybox chroot /system /bin/busybox sh -c 'cd /parley && exec /usr/bin/node dist/main.js'
fail "the server ended with $?"
