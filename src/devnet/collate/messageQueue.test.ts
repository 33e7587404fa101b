import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import { formatShard, wholeShard } from '../../primitives/shard.ts'
import { hopOf, routeFrom } from './messageQueue.ts'

const address = (workchain: number, firstByte: number) =>
  ({ kind: 'std', workchain, hash: new Uint8Array(32).fill(firstByte), anycast: undefined }) as const

const message = (source: ReturnType<typeof address>, destination: ReturnType<typeof address>) => ({
  kind: 'internal' as const,
  ihrDisabled: true,
  bounce: false,
  bounced: false,
  source,
  destination,
  value: ZERO_CURRENCY,
  extraFlags: 0n,
  fwdFee: 0n,
  createdLt: 1n,
  createdAt: 1,
})

const left = 0x4000_0000_0000_0000n
const cases = [
  ['within a shard', 0, wholeShard, address(0, 0x11), address(0, 0xee), 96, 96, '0:eeeeeeeeeeeeeeee'],
  ['to the masterchain', 0, wholeShard, address(0, 0x11), address(-1, 0xee), 0, 96, '-1:eeeeeeeeeeeeeeee'],
  ['from the masterchain', -1, wholeShard, address(-1, 0x11), address(0, 0xee), 0, 96, '0:eeeeeeeeeeeeeeee'],
  ['to the other half', 0, left, address(0, 0x11), address(0, 0xee), 32, 36, '0:e111111111111111'],
  ['to another workchain', 0, wholeShard, address(0, 0x11), address(7, 0xee), 0, 32, '7:1111111111111111'],
] as const

for (const [name, workchain, shard, source, destination, current, next, hop] of cases) {
  test(`a message ${name} takes over as many bits of its destination as the reference says`, () => {
    const info = message(source, destination)
    const route = routeFrom({ workchain, shard }, info)
    assert.deepEqual(route.current, { kind: 'regular', useDestBits: current })
    assert.deepEqual(route.next, { kind: 'regular', useDestBits: next })
    assert.equal(`${route.hop.workchain}:${formatShard(route.hop.prefix)}`, hop)
    assert.deepEqual(hopOf(info, route.next), route.hop)
  })
}
