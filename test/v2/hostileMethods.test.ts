import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { beginCell, type Cell } from '@ton/core'
import { placeContract } from '../support/placeContract.ts'
import { isLong } from '../support/testLength.ts'
import { postV2 } from '../support/v2Client.ts'
import { startV2Network, type V2NetworkService } from '../support/v2Service.ts'
import type { Json } from '../support/v3Client.ts'

/** How many of the polite questions are asked while it rages. */
const QUESTIONS = isLong ? 60 : 6

const bagOf = (cell: Cell): string => cell.toBoc().toString('base64')

/** A few cells that spell out 2^depth of them; `salt` makes each bag another. */
const doubling = (depth: number, salt: number): Cell => {
  let cell = beginCell().storeUint(salt, 32).endCell()
  for (let k = 0; k < depth; k++) cell = beginCell().storeRef(cell).storeRef(cell).endCell()
  return cell
}

const chain = (depth: number, salt: number): Cell => {
  let cell = beginCell().storeUint(salt, 32).endCell()
  for (let k = 0; k < depth; k++) cell = beginCell().storeRef(cell).endCell()
  return cell
}

const nested = (levels: number): Json => {
  let entry: Json = { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } }
  for (let k = 0; k < levels; k++) {
    entry = { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: [entry] } }
  }
  return entry
}

describe('v2 under get-methods that nobody should call', () => {
  let service: V2NetworkService
  let echo: string
  let loop: string
  let deep: string
  let explosion: string

  before(async () => {
    service = await startV2Network({ checkResults: false })
    echo = await placeContract(service, 0x41, { code: '30' })
    loop = await placeContract(service, 0x42, { code: '30 90 EA' })
    deep = await placeContract(service, 0x43, { code: '30 6D 8107D0 92 6F01 E4' })
    explosion = await placeContract(service, 0x44, { code: '30 C8C9 8101F4 95 20C8CCCCC9 E4' })
  })
  after(() => service.close())

  const run = (address: string, stack: Json[], method: Json = 'any', name = 'runGetMethod') =>
    postV2(`${service.url}/api/v2`, name, { address, method, stack })

  /** Each with the statuses that it may be answered with; none is a fault of ours. */
  const attacks: { name: string; attack: (salt: number) => ReturnType<typeof run>; statuses: number[] }[] = [
    // Its arguments and its name are others each time, so that nothing kept helps.
    { name: 'a loop', attack: (salt) => run(loop, [['num', salt]], `m${salt}`), statuses: [200, 504] },
    { name: 'a deep result', attack: (salt) => run(deep, [], salt), statuses: [500, 533, 504] },
    { name: 'an exploding result', attack: (salt) => run(explosion, [], salt), statuses: [500, 504] },
    {
      name: 'an exploding bag',
      attack: (salt) => run(echo, [['tvm.Cell', bagOf(doubling(200, salt))]]),
      statuses: [500],
    },
    { name: 'a deep bag', attack: (salt) => run(echo, [['tvm.Slice', bagOf(chain(900, salt))]]), statuses: [200, 422] },
    {
      name: 'a megabyte of numbers',
      attack: (salt) =>
        run(
          echo,
          Array.from({ length: 7000 }, () => ['num', `${'1'.repeat(70)}${salt}`]),
        ),
      statuses: [422],
    },
    {
      name: 'nested arguments',
      attack: () => run(echo, [nested(40)], 'any', 'runGetMethodStd'),
      statuses: [200, 422],
    },
    {
      name: 'arguments nested too deep',
      attack: () => run(echo, [nested(500)], 'any', 'runGetMethodStd'),
      statuses: [422],
    },
    {
      name: 'fees of a loop',
      attack: (salt) =>
        postV2(`${service.url}/api/v2`, 'estimateFee', {
          address: `0:${salt.toString(16).padStart(64, 'a')}`,
          body: bagOf(beginCell().endCell()),
          // Accepts whatever comes, and goes on for ever.
          init_code: bagOf(beginCell().storeUint(0xf80090ea, 32).storeUint(salt, 32).endCell()),
        }),
      statuses: [200, 504],
    },
  ]

  it('answers others all the time', async () => {
    let isOver = false
    const seen = new Map<string, Set<number>>()
    const rage = attacks.map(async ({ name, attack }, place) => {
      const statuses = new Set<number>()
      seen.set(name, statuses)
      for (let round = 1; !isOver; round++) statuses.add((await attack(round * 100 + place)).status)
    })
    const waits: number[] = []
    for (let k = 0; k < QUESTIONS; k++) {
      const started = performance.now()
      const { status, body } = await run(echo, [['num', `${k}`]], `polite${k}`)
      waits.push(performance.now() - started)
      // Whoever waits for ten seconds is answered with 504.
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(body.result.stack, [['num', `0x${k.toString(16)}`]])
    }
    isOver = true
    await Promise.all(rage)
    waits.sort((a, b) => a - b)
    const [median, worst] = [waits[QUESTIONS >> 1]!, waits.at(-1)!]
    console.log(`polite questions: median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`)
    for (const { name, statuses } of attacks) {
      for (const status of seen.get(name)!) assert.ok(statuses.includes(status), `${name} was answered with ${status}`)
    }
    assert.deepEqual(service.logLines, [])
  })
})
