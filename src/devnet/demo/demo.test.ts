import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filled } from '../../../test/support/sampleMessages.ts'
import { type Outcome, outcomeCodes, outcomeOpcodes, TinyLedger } from '../../../test/support/TinyLedger.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import { dnsCollectionAddress, dnsCollectionInit, dnsRootAddress, dnsRootInit } from '../contracts/dnsContracts.ts'
import { createDevAccounts } from '../wallets/createDevAccounts.ts'
import { createTraffic, grandTour } from './createTraffic.ts'
import { createRandom } from './DemoStep.ts'
import { deployDemo, planDemo } from './deployDemo.ts'
import { type DemoPort, OrderSender } from './OrderSender.ts'

const TON = 1_000_000_000n

type Recorded = { readonly port: DemoPort; readonly outcomes: Outcome[]; readonly ledger: TinyLedger }

const createPort = (ledger: TinyLedger): Recorded => {
  const outcomes: Outcome[] = []
  const port: DemoPort = {
    send: async (message) => void outcomes.push(await ledger.send(message)),
    runMethod: (address, method, stack) => ledger.runMethod(address, method, stack).catch(() => undefined),
    now: () => ledger.now,
    nextBlock: async () => {
      ledger.now++
    },
  }
  return { port, outcomes, ledger }
}

const accounts = await createDevAccounts(filled(0x44), -777)
const plan = planDemo(accounts)

const createStage = async (t: Parameters<typeof createTestMachine>[0], withNames: boolean): Promise<Recorded> => {
  const ledger = new TinyLedger((await createTestMachine(t)).machine)
  for (const { wallet } of accounts) ledger.put(wallet.address, 100_000n * TON, wallet.init)
  if (withNames) {
    ledger.put(dnsRootAddress(), 1000n * TON, dnsRootInit())
    ledger.put(dnsCollectionAddress, 1000n * TON, dnsCollectionInit())
  }
  return createPort(ledger)
}

const isThere = async ({ ledger }: Recorded, [address, method]: readonly [typeof dnsCollectionAddress, string]) =>
  (await ledger.runMethod(address, method).catch(() => undefined)) !== undefined

test('the demonstration deploys all its contracts, and nothing twice', async (t) => {
  const stage = await createStage(t, true)
  await deployDemo(stage.port, new OrderSender(stage.port), plan)
  const codes = stage.outcomes.flatMap(outcomeCodes)
  assert.deepEqual(
    codes.filter((code) => code !== 0),
    [],
  )
  for (const contract of [
    [plan.jetton.address, 'get_jetton_data'],
    [plan.collection.address, 'get_collection_data'],
    [plan.name.item, 'get_domain'],
    [plan.multisig.address, 'get_multisig_data'],
    [plan.vesting.address, 'get_vesting_data'],
  ] as const)
    assert.ok(await isThere(stage, contract), contract[1])
  const orders = stage.outcomes.length
  await deployDemo(stage.port, new OrderSender(stage.port), plan)
  assert.equal(stage.outcomes.length, orders)
})

test('without a zone there is no name, and wallets that are not deployed deploy themselves', async (t) => {
  const stage = await createStage(t, false)
  for (const { wallet } of accounts) stage.ledger.put(wallet.address, 100_000n * TON)
  await deployDemo(stage.port, new OrderSender(stage.port), plan)
  assert.ok(await isThere(stage, [plan.vesting.address, 'get_vesting_data']))
  assert.ok(!(await isThere(stage, [plan.name.item, 'get_domain'])))
})

test('traffic is of all kinds, goes well but where it is not meant to, and follows its seed', async (t) => {
  const stage = await createStage(t, true)
  const { port, outcomes, ledger } = stage
  const sender = new OrderSender(port)
  await deployDemo(port, sender, plan)
  const random = createRandom(filled(5))
  const traffic = createTraffic({ port, sender, plan, random }, grandTour)
  const failures: Record<string, string[]> = {}
  const opcodes: Record<string, Set<string>> = {}
  for (let k = 0; k < 120; k++) {
    ledger.now += 3
    outcomes.length = 0
    const name = await traffic.step()
    assert.equal(outcomes.length, 1, name)
    const bad = outcomeCodes(outcomes[0]!).filter((code) => code !== 0)
    failures[name] = [...new Set([...(failures[name] ?? []), ...bad.map(String)])]
    const path = outcomeOpcodes(outcomes[0]!).slice(1).join(' ')
    opcodes[name] = (opcodes[name] ?? new Set()).add(path)
  }
  assert.deepEqual(failures, {
    'auction bid': [],
    'auction cancellation': [],
    'auction end': [],
    batch: [],
    bounce: ['skipped'],
    comment: [],
    'jetton burn': [],
    'jetton mint': [],
    'jetton overdraft': ['706'],
    'jetton transfer': [],
    'jetton wallet discovery': [],
    liquidity: [],
    'multisig order': [],
    'name record': [],
    'name record deletion': [],
    'name renewal': [],
    'nft auction': [],
    'nft mint': [],
    'nft price change': [],
    'nft purchase': [],
    'nft purchase below the price': ['402'],
    'nft requests': [],
    'nft sale': [],
    'nft sale cancellation': [],
    'nft transfer': [],
    'refused swap': [],
    stake: [],
    swap: [],
    unstake: [],
    'vesting transfer': [],
    'vesting whitelist': [],
  })
  assert.ok([...opcodes['multisig order']!].some((path) => path.endsWith('82609bf6 75097f5d 00000000')))
  assert.ok([...opcodes['vesting transfer']!].every((path) => path === 'a7733acd 00000000 f7733acd'))
})

test('an order that is lost does not stop an account for good', async (t) => {
  const { port, outcomes } = await createStage(t, false)
  let isLost = true
  const sender = new OrderSender({ ...port, send: (message) => (isLost ? Promise.resolve() : port.send(message)) })
  const [alice, bob] = [accounts[0]!, accounts[1]!]
  const transfer = { destination: bob.wallet.address, value: TON, bounce: false }
  await sender.send(alice, [transfer])
  isLost = false
  await sender.send(alice, [transfer])
  await sender.send(alice, [transfer])
  assert.deepEqual(outcomes.map(outcomeCodes), [
    [0, 0],
    [0, 0],
  ])
})

test('the same seed makes the same choices', () => {
  const choices = (seed: number) => {
    const random = createRandom(filled(seed))
    return Array.from({ length: 20 }, () => random.int(1000))
  }
  assert.deepEqual(choices(1), choices(1))
  assert.notDeepEqual(choices(1), choices(2))
})
