import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type Cell, wholeSlice } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { readTransaction } from '../../src/codec/tlb/Transaction.ts'
import { jettonTransferBody, jettonWalletAddress } from '../../src/devnet/contracts/jettonContracts.ts'
import { createSigner, type OutgoingMessage } from '../../src/devnet/contracts/messages.ts'
import type { DevAccount } from '../../src/devnet/wallets/createDevAccounts.ts'
import { signTransfer } from '../../src/devnet/wallets/signTransfer.ts'
import { createWallet, readPackagedCode } from '../../src/devnet/wallets/wallets.ts'
import { type Address, formatFriendlyAddress, formatUpperRawAddress } from '../../src/primitives/Address.ts'
import { fromBase64, toBase64 } from '../../src/primitives/base64.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { repository } from '../support/childScript.ts'
import { bocOf, startEmulatedNetwork } from '../support/emulatedNetwork.ts'
import { expectConservation } from '../support/expectConservation.ts'
import { filled } from '../support/sampleMessages.ts'
import { getV3, type Json, postV3 } from '../support/v3Client.ts'
import { refusedIntegers, takenIntegers } from '../support/vmIntegers.ts'

const own = await startEmulatedNetwork({ after })
const { network, plan, expectEmulated, emulate } = own
const raw = formatUpperRawAddress
const [alice, bob, frank, dave] = ['alice', 'bob', 'frank', 'dave'].map(own.account) as [
  DevAccount,
  DevAccount,
  DevAccount,
  DevAccount,
]

const sign = (account: DevAccount, seqno: number, messages: readonly OutgoingMessage[], key = account.key): string =>
  bocOf(signTransfer(account.wallet, key, { seqno, validUntil: 0xffff_ffff, messages }, { deploy: seqno === 0 }))

const send = (destination: Address, value = 1_000_000_000n): OutgoingMessage => ({ destination, value, bounce: false })

const addressSlice = ({ workchain, hash }: Address) =>
  wholeSlice(new CellWriter().writeUint(0b100, 3).writeInt(workchain, 8).writeBytes(hash).toCell())

describe('cases that decide whether emulation is real', () => {
  test('a plain transfer: trace, transactions and summary', async () => {
    const boc = sign(alice, await own.findSeqno(alice), [send(dave.wallet.address)])
    const answer = await expectEmulated('emulateTrace', {
      boc,
      with_actions: true,
      summary: true,
      include_code_data: true,
    })
    assert.equal(answer.is_incomplete, false)
    assert.equal(answer.mc_block_seqno, network.controls.getStatus().head.seqno)
    assert.equal(Object.keys(answer.transactions).length, 2)
    const [root, child] = [
      answer.transactions[answer.trace.tx_hash],
      answer.transactions[answer.trace.children[0].tx_hash],
    ]
    assert.equal(root.account, raw(alice.wallet.address))
    assert.equal(child.account, raw(dave.wallet.address))
    assert.equal(root.emulated, true)
    assert.equal(root.finality, 'pending')
    assert.equal('trace_id' in root, false)
    assert.equal(root.mc_block_seqno, answer.mc_block_seqno + 1)
    assert.ok(answer.code_cells[root.account_state_before.code_hash])
    assert.ok(answer.data_cells[root.account_state_after.data_hash])
    assert.deepEqual(
      answer.actions.map(({ type }: Json) => type),
      ['ton_transfer'],
    )
    assert.ok(answer.actions[0].accounts.includes(raw(dave.wallet.address)))
    const { summary } = answer
    assert.equal(summary.payer, raw(alice.wallet.address))
    assert.equal(summary.paid, summary.fees.total)
    assert.equal(summary.risk.sends_all, false)
    assert.ok(BigInt(summary.risk.native) > 1_000_000_000n)
    expectConservation(answer)
  })

  test('case 1: with the seed, time and lt of its block, a message of the past gives its transactions cell by cell', async () => {
    const { controls } = network
    const { seqno } = controls.getStatus().head
    const boc = sign(alice, await own.findSeqno(alice), [send(dave.wallet.address), send(frank.wallet.address)])
    await controls.send(decodeSingleBoc(fromBase64(boc)))
    await own.settle()
    const real: Json[] = []
    for (const { wallet } of [alice, dave, frank]) {
      const { body } = await getV3(`${own.url}/api/v2`, 'getTransactions', { address: raw(wallet.address), limit: 1 })
      real.push(body.result[0])
    }
    const block = { now: real[0].utime, lt: String(BigInt(real[0].transaction_id.lt) - 1n) }
    const answer = await expectEmulated('emulateTrace', { boc, mc_block_seqno: seqno, block })
    const root = answer.transactions[answer.trace.tx_hash]
    assert.equal(root.hash, real[0].transaction_id.hash)
    // Those that were in the same block.
    const others = real.slice(1).filter(({ utime }) => utime === block.now)
    for (const { transaction_id } of others) assert.ok(transaction_id.hash in answer.transactions, transaction_id.lt)
  })

  test('at a transaction: the world just before it, with the earlier ones of its account in the block', async () => {
    const { controls } = network
    // Both arrive in one block.
    const two = [send(dave.wallet.address, 1n), send(dave.wallet.address, 2n)]
    await controls.send(decodeSingleBoc(fromBase64(sign(alice, await own.findSeqno(alice), two))))
    await own.settle()
    const { body } = await getV3(`${own.url}/api/v2`, 'getTransactions', {
      address: raw(dave.wallet.address),
      limit: 2,
    })
    const real: Json[] = body.result.toReversed()
    assert.equal(real[0].utime, real[1].utime)
    const bocs = real.map(({ data }) =>
      bocOf(readWhole(decodeSingleBoc(fromBase64(data)), readTransaction, 'A transaction').inMsg!),
    )
    for (const [k, { transaction_id, utime }] of real.entries()) {
      const answer = await expectEmulated('emulateTrace', { boc: bocs[k], at: { tx: transaction_id.hash } })
      const root = answer.transactions[answer.trace.tx_hash]
      assert.deepEqual([root.hash, root.now], [transaction_id.hash, utime])
    }
    const unknown = await emulate('emulateTrace', { boc: bocs[0], at: { tx: '00'.repeat(32) } })
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'transaction_not_found'])
    const odd = await emulate('emulateTrace', { boc: bocs[0], at: { tx: '00'.repeat(32), utime: 1 } })
    assert.equal(odd.status, 400)
  })

  test('case 2: a wrong seqno is 422 with the exit code of the wallet, and nothing else runs', async () => {
    for (const [account, exitCode] of [
      [alice, 33],
      [frank, 33],
      [bob, 133],
    ] as const) {
      const seqno = (await own.findSeqno(account)) + 5
      const { status, body } = await emulate('emulateTrace', { boc: sign(account, seqno, [send(dave.wallet.address)]) })
      assert.equal(status, 422, JSON.stringify(body))
      assert.equal(body.code, 'not_accepted')
      assert.equal(body.exit_code, exitCode)
      assert.match(body.error, /EmulationExternalNotAccepted/)
    }
  })

  test('case 3: the second of two messages of one wallet needs the next seqno', async () => {
    const seqno = await own.findSeqno(alice)
    const step = (number: number) => ({ external: { boc: sign(alice, number, [send(dave.wallet.address)]) } })
    const good = await expectEmulated('simulate', { steps: [step(seqno), step(seqno + 1)], summary: true })
    assert.deepEqual(
      good.steps.map(({ ok }: Json) => ok),
      [true, true],
    )
    assert.equal(good.summary.balance_changes[raw(alice.wallet.address)].native.startsWith('-2'), true)
    const bad = await expectEmulated('simulate', { steps: [step(seqno), step(seqno), step(seqno + 1)] })
    assert.deepEqual(
      bad.steps.map(({ ok, code, exit_code }: Json) => [ok, code, exit_code]),
      [
        [true, undefined, undefined],
        [false, 'not_accepted', 33],
        [false, 'skipped', undefined],
      ],
    )
  })

  const jettonTransfer = (value: bigint): OutgoingMessage => ({
    destination: jettonWalletAddress(alice.wallet.address, plan.jetton.address),
    value,
    bounce: true,
    body: jettonTransferBody({
      queryId: 1n,
      amount: 7n,
      destination: dave.wallet.address,
      responseDestination: alice.wallet.address,
      forwardAmount: 1n,
      forwardPayload: undefined,
    }),
  })

  test('case 4: a jetton transfer with too little gas fails and bounces, and the balances add up', async () => {
    const seqno = await own.findSeqno(alice)
    const boc = sign(alice, seqno, [jettonTransfer(5_000_000n)])
    const answer = await expectEmulated('emulateTrace', { boc, summary: true, with_actions: true })
    const { failed, bounced, balance_changes: changes } = answer.summary
    assert.equal(failed.length, 1)
    assert.equal(failed[0].account, raw(jettonWalletAddress(alice.wallet.address, plan.jetton.address)))
    assert.ok(BigInt(bounced) > 0n && BigInt(bounced) < 5_000_000n)
    assert.equal(changes[raw(alice.wallet.address)].jettons, undefined)
    expectConservation(answer)
    const enough = sign(alice, seqno, [jettonTransfer(200_000_000n)])
    const good = await expectEmulated('emulateTrace', { boc: enough, summary: true, with_actions: true })
    assert.deepEqual(good.summary.failed, [])
    const master = raw(plan.jetton.address)
    assert.equal(good.summary.balance_changes[raw(alice.wallet.address)].jettons[master], '-7')
    assert.equal(good.summary.balance_changes[raw(dave.wallet.address)].jettons[master], '7')
    assert.deepEqual(good.summary.risk.jettons, { [master]: '7' })
    assert.equal(good.actions[0].type, 'jetton_transfer')
    expectConservation(good)
  })

  test('case 5: a wallet that does not exist is deployed by its message', async () => {
    const key = createSigner(filled(0x55))
    const wallet = createWallet('v4r2', key.publicKey, -239)
    const account = { name: 'new', mnemonic: [], wallet, key }
    const state_overrides = { [raw(wallet.address)]: { balance: '5000000000' } }
    const boc = sign(account, 0, [send(dave.wallet.address)])
    const answer = await expectEmulated('emulateTrace', { boc, state_overrides, summary: true })
    const root = answer.transactions[answer.trace.tx_hash]
    assert.equal(root.orig_status, 'uninit')
    assert.equal(root.end_status, 'active')
    assert.equal(root.account_state_before.overridden, true)
    assert.deepEqual(answer.summary.new_contracts, [raw(wallet.address)])
    expectConservation(answer)
  })

  test('case 6: a trace that loops for ever ends at the limit, within the deadline', async () => {
    const self = { workchain: 0, hash: filled(0x66) }
    // Whatever comes in, it sends a message to itself with mode 64: MYADDR STSLICER … SENDRAWMSG.
    const endlessSender = new CellWriter().writeBytes(fromHex('8010c8cb05f828cf167001cb6ec98040fb00')).toCell()
    const state_overrides = {
      [raw(self)]: { balance: '100000000000', code: bocOf(endlessSender), data: bocOf(new CellWriter().toCell()) },
    }
    const steps = [{ message: { from: raw(alice.wallet.address), to: raw(self), value: '50000000000' } }]
    const begun = performance.now()
    const answer = await expectEmulated('simulate', {
      steps,
      state_overrides,
      limits: { transactions: 100, depth: 128 },
      summary: true,
    })
    assert.ok(performance.now() - begun < 5000)
    const [{ result }] = answer.steps
    assert.equal(result.is_incomplete, true)
    assert.equal(result.incomplete_reason, 'transactions')
    assert.equal(Object.keys(result.transactions).length, 100)
    assert.equal(result.summary.undelivered.length, 1)
    expectConservation(result)
    const shallow = await expectEmulated('simulate', { steps, state_overrides, limits: { depth: 5 }, summary: true })
    assert.equal(shallow.steps[0].result.incomplete_reason, 'depth')
    assert.equal(Object.keys(shallow.steps[0].result.transactions).length, 5)
  })

  test('case 7: the same request with a fixed block gives the same bytes', async () => {
    const boc = sign(bob, await own.findSeqno(bob), [send(dave.wallet.address)])
    const { seqno } = network.controls.getStatus().head
    const block = { now: network.controls.getStatus().utime + 1, rand_seed: toBase64(filled(7)) }
    const request = { boc, mc_block_seqno: seqno, block, with_actions: true, summary: true, include_code_data: true }
    const texts = [await expectEmulated('emulateTrace', request), await expectEmulated('emulateTrace', request)]
    assert.equal(JSON.stringify(texts[0]), JSON.stringify(texts[1]))
    assert.equal(texts[0].rand_seed, block.rand_seed)
  })

  test('case 8: an override of a jetton wallet is seen in its world only', async () => {
    const wallet = jettonWalletAddress(alice.wallet.address, plan.jetton.address)
    const before = await own.port.runMethod(wallet, 'get_wallet_data', [])
    const data = new CellWriter()
      .writeCoins(1_000_000_000_000n)
      .writeSlice(addressSlice(alice.wallet.address))
      .writeSlice(addressSlice(plan.jetton.address))
      .toCell()
    const steps = [
      { run_get_method: { address: raw(wallet), method: 'get_wallet_data', stack: [] } },
      { external: { boc: sign(alice, await own.findSeqno(alice), [jettonTransfer(200_000_000n)]) } },
      { run_get_method: { address: raw(wallet), method: 'get_wallet_data', stack: [] } },
    ]
    const answer = await expectEmulated('simulate', {
      steps,
      state_overrides: { [raw(wallet)]: { data: bocOf(data) } },
      summary: true,
    })
    const balanceOf = ({ result }: Json): bigint => BigInt(result.stack[0].value)
    assert.equal(balanceOf(answer.steps[0]), 1_000_000_000_000n)
    assert.equal(balanceOf(answer.steps[2]), 999_999_999_993n)
    assert.equal(answer.summary.balance_changes[raw(alice.wallet.address)].jettons[raw(plan.jetton.address)], '-7')
    assert.deepEqual(await own.port.runMethod(wallet, 'get_wallet_data', []), before)
  })
})

test('coins that are burned count as balance after', async () => {
  const blackhole = { workchain: -1, hash: filled(0x44) }
  const burning = new CellWriter().writeUint(1, 8).writeBit(true).writeBytes(blackhole.hash)
  const config_overrides = { 5: bocOf(burning.writeUint(1, 32).writeUint(2, 32).toCell()) }
  const boc = sign(alice, await own.findSeqno(alice), [send(blackhole)])
  const answer = await expectEmulated('emulateTrace', { boc, config_overrides, summary: true })
  assert.equal(answer.summary.burned, '1000000000')
  assert.equal(answer.summary.paid, answer.summary.fees.total)
  expectConservation(answer)
  const debugged = await postV3(`${own.url}/api/debug/v1`, 'message', { boc, config_overrides })
  const { money } = debugged.body.runs[1]
  assert.deepEqual([money.in, money.burned, money.after], ['1000000000', '1000000000', '0'])
})

test('steps of failed transactions are shown on request', async () => {
  const state_overrides = {
    [raw(dave.wallet.address)]: { code: bocOf(new CellWriter().writeUint(0xf2c1f4, 24).toCell()) },
  }
  const boc = sign(alice, await own.findSeqno(alice), [send(dave.wallet.address)])
  const { transactions, vm, summary } = await expectEmulated('emulateTrace', {
    boc,
    state_overrides,
    vm: 'failed',
    summary: true,
  })
  assert.equal(summary.failed.length, 1)
  assert.deepEqual(Object.keys(vm), [summary.failed[0].tx])
  const run = vm[summary.failed[0].tx]
  assert.equal(run.exit_code, summary.failed[0].exit_code)
  assert.ok(run.steps.length > 0)
  assert.equal(transactions[summary.failed[0].tx].account, raw(dave.wallet.address))
})

test('tick_tock runs special accounts, and others have none', async () => {
  const [elector, config] = ['33', '55'].map((byte) => `-1:${byte.repeat(32)}`) as [string, string]
  const step = (address: string, tock: boolean) => ({ tick_tock: { address, tock } })
  const steps = [step(elector, false), step(config, true), step(raw(alice.wallet.address), false)]
  const answer = await expectEmulated('simulate', { steps, stop_on_error: false, summary: true })
  for (const [k, address] of [elector, config].entries()) {
    const { ok, result } = answer.steps[k]
    assert.equal(ok, true, JSON.stringify(answer.steps[k]))
    const root = result.transactions[result.trace.tx_hash]
    assert.deepEqual([root.account, root.description.type, root.in_msg], [address, 'tick_tock', null])
    assert.deepEqual([root.description.is_tock, root.description.compute_ph.exit_code], [k === 1, 0])
  }
  assert.deepEqual([answer.steps[2].ok, answer.steps[2].error], [false, 'the account has no tick'])
})

/** The code of wallet v3 r1, as the package of wallets has it. */
const v3r1Code = (): Cell =>
  readPackagedCode(
    import.meta.resolve('@ton/ton/dist/wallets/v3/r1.js'),
    fromBase64('thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE='),
  )

/** No package has it; the hash of the code says which wallet it is. */
const v4r1Code = (): Cell => decodeSingleBoc(readFileSync(join(repository, 'test/fixtures/walletV4R1.boc')))

const walletData = (): CellWriter => new CellWriter().writeUint(5, 32).writeUint(698983191, 32).writeBytes(filled(1))

describe('emulateTonConnect', () => {
  test('writes the message of each kind of wallet', async () => {
    for (const account of [alice, bob, frank]) {
      const answer = await expectEmulated('emulateTonConnect', {
        from: formatFriendlyAddress(account.wallet.address),
        messages: [{ address: raw(dave.wallet.address), amount: '1000000' }],
        with_actions: true,
      })
      assert.equal(answer.actions[0].type, 'ton_transfer', account.name)
      assert.equal(Object.keys(answer.transactions).length, 2)
    }
  })

  test('writes the message of wallets v3 r1 and v4 r1', async () => {
    const kinds: readonly (readonly [string, Cell, Cell])[] = [
      ['v3r1', v3r1Code(), walletData().toCell()],
      ['v4r1', v4r1Code(), walletData().writeBit(false).toCell()],
    ]
    for (const [name, code, data] of kinds) {
      const from = raw({ workchain: 0, hash: filled(0x31) })
      const answer = await expectEmulated('emulateTonConnect', {
        from,
        messages: [1, 2, 3, 4].map((k) => ({ address: raw(dave.wallet.address), amount: `${k}0000000` })),
        state_overrides: { [from]: { balance: '1000000000', code: bocOf(code), data: bocOf(data) } },
        summary: true,
      })
      const root = answer.transactions[answer.trace.tx_hash]
      assert.deepEqual([root.account, root.description.compute_ph.exit_code, root.out_msgs.length], [from, 0, 4], name)
      assert.deepEqual(answer.summary.failed, [], name)
    }
  })

  test('the risk is that of all requests of the wallet', async () => {
    const request = (amount: string) => ({
      ton_connect: { from: raw(alice.wallet.address), messages: [{ address: raw(dave.wallet.address), amount }] },
    })
    const message = { from: raw(bob.wallet.address), to: raw(alice.wallet.address), value: '1000000000' }
    const { summary } = await expectEmulated('simulate', {
      steps: [{ message }, request('3000000000'), { advance: { seconds: 5 } }, request('4000000000')],
      summary: true,
    })
    const { native } = summary.risk
    assert.ok(BigInt(native) > 7_000_000_000n && BigInt(native) < 7_100_000_000n, native)
  })

  test('refuses other accounts', async () => {
    const messages = [{ address: raw(dave.wallet.address), amount: '1000000' }]
    const { status, body } = await emulate('emulateTonConnect', { from: raw(plan.jetton.address), messages })
    assert.deepEqual([status, body.code, body.error], [422, 'unsupported_wallet', 'Account is not a known wallet'])
    const none = await emulate('emulateTonConnect', { from: `0:${'12'.repeat(32)}`, messages })
    assert.deepEqual([none.status, none.body.error], [422, 'Account state no code or no data'])
  })
})

describe('faults', () => {
  const cases: readonly (readonly [string, object | string, number, string, RegExp])[] = [
    ['emulateTrace', '{', 400, 'invalid_request', /^invalid request: /],
    ['emulateTrace', {}, 400, 'invalid_request', /^invalid request: boc is required$/],
    ['emulateTrace', { boc: '' }, 400, 'invalid_request', /^invalid request: boc is required$/],
    ['emulateTrace', { boc: 'te6cc_' }, 400, 'invalid_request', /^invalid request: invalid boc: /],
    ['emulateTrace', { boc: 'AAAA' }, 400, 'invalid_request', /^Can't deserialize message boc: /],
    ['emulateTrace', { boc: 5 }, 400, 'invalid_request', /^invalid request: /],
    ['emulateTrace', { boc: bocOf(new CellWriter().toCell()) }, 400, 'invalid_request', /^in msg found with no dest/],
    ['emulateTonConnect', { messages: [] }, 400, 'invalid_request', /from address is required for emulation$/],
    [
      'emulateTonConnect',
      { from: raw(alice.wallet.address), messages: [] },
      400,
      'invalid_request',
      /cannot be empty$/,
    ],
    [
      'emulateTonConnect',
      { from: 'x', messages: [{ address: 'y', amount: '1' }] },
      400,
      'invalid_request',
      /^Invalid address format: x$/,
    ],
    ['simulate', { steps: [] }, 400, 'invalid_request', /^invalid request: /],
    ['simulate', { steps: [{}] }, 400, 'invalid_request', /exactly one member/],
    ['simulate', { steps: [{ advance: { years: 1 } }] }, 400, 'invalid_request', /^invalid request: /],
  ]
  for (const [name, body, status, code, error] of cases) {
    test(`${name} ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const answer = await emulate(name, body)
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.equal(answer.body.code, code)
      assert.match(answer.body.error, error)
    })
  }

  test('integers of 257 bits are arguments, and no others', async () => {
    const call = (value: string) => ({
      run_get_method: { address: raw(alice.wallet.address), method: 'seqno', stack: [{ type: 'num', value }] },
    })
    const { steps } = await expectEmulated('simulate', { steps: takenIntegers.map(call) })
    assert.deepEqual(
      steps.map(({ result }: Json) => result.exit_code),
      takenIntegers.map(() => 0),
    )
    for (const value of refusedIntegers) {
      const { status, body } = await emulate('simulate', { steps: [call(value)] })
      assert.deepEqual([status, body.code], [400, 'invalid_request'], value)
      assert.match(body.error, /invalid number: /)
    }
  })

  test('a body of few cells that stands for endlessly many', async () => {
    let cell = new CellWriter().writeUint(1, 8).toCell()
    for (let depth = 0; depth < 400; depth++) cell = new CellWriter().writeRef(cell).writeRef(cell).toCell()
    const message = {
      from: raw(alice.wallet.address),
      to: raw(dave.wallet.address),
      value: '1000000000',
      body: bocOf(cell),
    }
    const begun = performance.now()
    const answer = await expectEmulated('simulate', { steps: [{ message }], summary: true, with_actions: true })
    assert.equal(answer.steps[0].ok, true, JSON.stringify(answer.steps[0]))
    assert.ok(performance.now() - begun < 5000)
    const { status } = await emulate('emulateTrace', { boc: bocOf(cell) })
    assert.equal(status, 400)
  })

  test('options that need more than there is', async () => {
    const boc = sign(alice, await own.findSeqno(alice), [send(dave.wallet.address)])
    const book = await emulate('emulateTrace', { boc, include_address_book: true })
    assert.deepEqual(
      [book.status, book.body.error],
      [400, 'invalid request: address book and metadata are not available'],
    )
    const late = await emulate('emulateTrace', { boc, mc_block_seqno: 100_000_000 })
    assert.deepEqual(
      [late.status, late.body.code, late.body.error],
      [400, 'block_not_found', 'mc block seqno is too new'],
    )
    const odd = await emulate('emulateTrace', {
      boc,
      state_overrides: { [raw(alice.wallet.address)]: { ballance: '1' } },
    })
    assert.deepEqual([odd.status, odd.body.code], [400, 'invalid_request'])
  })
})
