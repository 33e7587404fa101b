import assert from 'node:assert/strict'
import { BlockList, isIPv4 } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGlobalAddress, parseIp } from './isGlobalAddress.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

/** What lies just below a range, its first and last address, and what lies just above; `-` where that is another such range. */
const edgesV4 = `
  -                 0.0.0.0          0.255.255.255    1.0.0.0
  9.255.255.255     10.0.0.0         10.255.255.255   11.0.0.0
  100.63.255.255    100.64.0.0       100.127.255.255  100.128.0.0
  126.255.255.255   127.0.0.0        127.255.255.255  128.0.0.0
  169.253.255.255   169.254.0.0      169.254.255.255  169.255.0.0
  172.15.255.255    172.16.0.0       172.31.255.255   172.32.0.0
  191.255.255.255   192.0.0.0        192.0.0.255      192.0.1.0
  192.0.1.255       192.0.2.0        192.0.2.255      192.0.3.0
  192.31.195.255    192.31.196.0     192.31.196.255   192.31.197.0
  192.52.192.255    192.52.193.0     192.52.193.255   192.52.194.0
  192.88.98.255     192.88.99.0      192.88.99.255    192.88.100.0
  192.167.255.255   192.168.0.0      192.168.255.255  192.169.0.0
  192.175.47.255    192.175.48.0     192.175.48.255   192.175.49.0
  198.17.255.255    198.18.0.0       198.19.255.255   198.20.0.0
  198.51.99.255     198.51.100.0     198.51.100.255   198.51.101.0
  203.0.112.255     203.0.113.0      203.0.113.255    203.0.114.0
  223.255.255.255   224.0.0.0        239.255.255.255  -
  -                 240.0.0.0        255.255.255.255  -`

const edgesV6 = `
  -                                        ::                  1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  2000::
  2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff  2001::              2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff   2001:200::
  2001:db7:ffff:ffff:ffff:ffff:ffff:ffff   2001:db8::          2001:db8:ffff:ffff:ffff:ffff:ffff:ffff   2001:db9::
  2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff  2002::              2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff  2003::
  2620:4f:7fff:ffff:ffff:ffff:ffff:ffff    2620:4f:8000::      2620:4f:8000:ffff:ffff:ffff:ffff:ffff    2620:4f:8001::
  3ffd:ffff:ffff:ffff:ffff:ffff:ffff:ffff  3ffe::              3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff  -
  -                                        3fff::              3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff   3fff:1000::
  3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  4000::              ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  -`

const rows = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))

test('the edges of every range, inside and outside', () => {
  for (const [below, first, last, above] of [...rows(edgesV4), ...rows(edgesV6)]) {
    for (const inside of [first!, last!]) assert.equal(isGlobalAddress(inside), false, inside)
    for (const outside of [below!, above!]) {
      if (outside !== '-') assert.equal(isGlobalAddress(outside), true, outside)
    }
  }
})

const refused = [
  // This machine, and nowhere.
  ['127.0.0.1', '127.1.2.3', '0.0.0.0', '::1', '::'],
  // What clouds tell their machines; link-local, site-local, unique local.
  ['169.254.169.254', 'fe80::1', 'febf::1', 'fec0::1', 'fc00::1', 'fd00:ec2::254'],
  // IPv4 in IPv6: mapped, compatible, translated, NAT64 in both prefixes, 6to4, Teredo, and global ones in the same clothes.
  ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  [
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2001:0:4136:e378::1',
  ],
  // Discard-only, dummy, segment routing, ORCHID, benchmarks, AMT, multicast of each scope.
  ['100::1', '100:0:0:1::1', '5f00::1', '2001:10::1', '2001:20::1', '2001:2::1', '2001:3::1', '2001:4:112::1'],
  ['ff02::1', 'ff05::2', 'ff0e::1', '224.0.0.1', '239.255.255.250', '255.255.255.255'],
  // A zone names a network of this machine.
  ['fe80::1%eth0', '2a00:1450::1%eth0'],
  // No addresses, or not in the one spelling.
  ['', 'localhost', 'example.com', '127.1', '0x7f.0.0.1', '0177.0.0.1', '2130706433', '8.8.8', '8.8.8.8.', ' 8.8.8.8'],
  ['8.8.8.08', '8.8.8.256', '[2a00:1450::1]', '2a00::1::2', '1:2:3:4:5:6:7:8:9', '2a00:1450::/32', '8.8.8.8/32'],
].flat()

const allowed = [
  ['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.67.1.1', '192.0.66.2', '198.17.0.1', '100.128.0.1', '223.255.255.254'],
  [
    '2606:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2001:4860:4860::8888',
    '2A00:1450::1',
    '2400:cb00::1.2.3.4',
    '3000::',
  ],
].flat()

test('addresses by name', () => {
  for (const address of refused) assert.equal(isGlobalAddress(address), false, address)
  for (const address of allowed) assert.equal(isGlobalAddress(address), true, address)
})

test('any address is judged as the block list of Node does with the same registries', (t) => {
  t.diagnostic(`seed ${seed}`)
  const list = new BlockList()
  for (const [, first, last] of rows(edgesV4)) list.addRange(first!, last!, 'ipv4')
  for (const [, first, last] of rows(edgesV6)) list.addRange(first!, last!, 'ipv6')
  const text = fc.oneof(fc.ipV4(), fc.ipV6())
  fc.assert(
    fc.property(text, (address) => {
      // Node looks into mapped addresses; here they are all refused.
      const isListed = list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
      const isMapped = /^::ffff:/i.test(address)
      assert.equal(isGlobalAddress(address), !isListed && !isMapped, address)
    }),
    { seed, numRuns: 20_000 },
  )
})

test('every first half of an IPv4 address', () => {
  let count = 0
  for (let high = 0; high < 65_536; high++) {
    if (isGlobalAddress(`${high >> 8}.${high & 255}.7.7`)) count++
  }
  // 65536 less 0/8, 10/8, 127/8 (256 each), 224/3 (8192), 100.64/10 (64), 172.16/12 (16), 198.18/15 (2), 169.254 and 192.168.
  assert.equal(count, 65_536 - 3 * 256 - 8192 - 64 - 16 - 2 - 2)
})

test('bytes of addresses', () => {
  const hex = (text: string): string | undefined => {
    const bytes = parseIp(text)
    return bytes && Buffer.from(bytes).toString('hex')
  }
  assert.equal(hex('1.2.3.255'), '010203ff')
  assert.equal(hex('::'), '0'.repeat(32))
  assert.equal(hex('::1'), `${'0'.repeat(31)}1`)
  assert.equal(hex('1::'), `0001${'0'.repeat(28)}`)
  assert.equal(hex('2001:db8::a:b'), '20010db80000000000000000000a000b')
  assert.equal(hex('1:2:3:4:5:6:7:8'), '00010002000300040005000600070008')
  assert.equal(hex('64:ff9b::192.0.2.33'), '0064ff9b0000000000000000c0000221')
  assert.equal(hex('fe80::1%1'), undefined)
})
