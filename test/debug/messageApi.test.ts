import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createClient } from '../../src/client/createClient.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { signTransfer } from '../../src/devnet/wallets/signTransfer.ts'
import { formatUpperRawAddress } from '../../src/primitives/Address.ts'
import { bocOf, startEmulatedNetwork } from '../support/emulatedNetwork.ts'
import { type Json, postV3 } from '../support/v3Client.ts'

const own = await startEmulatedNetwork({ after })
const [alice, dave] = [own.account('alice'), own.account('dave')]
const raw = formatUpperRawAddress
const ask = (body: object) => postV3(`${own.url}/api/debug/v1`, 'message', body as { readonly [name: string]: unknown })

const expectAnswer = async (body: object): Promise<Json> => {
  const { status, body: answer } = await ask(body)
  assert.equal(status, 200, JSON.stringify(answer))
  return answer
}

const transfer = async (extraSeqno = 0): Promise<string> => {
  const seqno = (await own.findSeqno(alice)) + extraSeqno
  const messages = [{ destination: dave.wallet.address, value: 1_000_000_000n, bounce: false }]
  return bocOf(signTransfer(alice.wallet, alice.key, { seqno, validUntil: 0xffff_ffff, messages }, { deploy: false }))
}

/** Throws 500. */
const thrower = bocOf(new CellWriter().writeUint(0xf2c1f4, 24).toCell())

const expectGas = ({ vm, money }: Json): void => {
  assert.equal(
    vm.steps.reduce((sum: number, { gas }: Json) => sum + gas, 0),
    vm.gas.used,
  )
  assert.equal(
    BigInt(money.before) + BigInt(money.in),
    BigInt(money.after) + BigInt(money.out) + BigInt(money.fees.total),
  )
}

describe('a message that was not sent', () => {
  test('every transaction of its trace has steps, actions, money and state', async () => {
    const answer = await expectAnswer({ boc: await transfer(), steps: 'all', registers: true, with_actions: true })
    const [{ result }] = answer.steps
    assert.equal(answer.mc_block_seqno, own.network.controls.getStatus().head.seqno)
    assert.deepEqual(
      answer.runs.map(({ account, hash, step }: Json) => [account, hash, step]),
      [alice, dave].map(({ wallet }, k) => [raw(wallet.address), answer.runs[k].hash, 0]),
    )
    assert.deepEqual(answer.runs.map(({ hash }: Json) => hash).sort(), Object.keys(result.transactions).sort())
    assert.equal(result.actions[0].type, 'ton_transfer')
    const [root] = answer.runs
    assert.equal(root.verdict.replay, 'changed')
    assert.equal(root.phases.compute_ph.gas_used, String(root.vm.gas.used))
    assert.equal(root.actions[0].destination, raw(dave.wallet.address))
    assert.equal(root.vm.steps[root.actions[0].step].act, 0)
    assert.notEqual(root.state.before.data_hash, root.state.after.data_hash)
    const { storage } = root.state.before
    const next = String(Number(storage.fields.seqno) + 1)
    assert.match(storage.layout, /^wallet_v/)
    const change = root.state.changes.find(({ member }: Json) => member === 'storage.seqno')
    assert.deepEqual([change.before, change.after], [storage.fields.seqno, next])
    expectGas(root)
  })

  test('a refused external message shows the step at which it was refused', async () => {
    const answer = await expectAnswer({ boc: await transfer(7), steps: 'all' })
    assert.deepEqual(answer.steps[0].code, 'not_accepted')
    const [run, ...others] = answer.runs
    assert.equal(others.length, 0)
    assert.equal('hash' in run, false)
    assert.deepEqual([run.failure.phase, run.failure.exit_code], ['compute', 33])
    assert.equal(run.vm.steps[run.failure.step].exc.code, 33)
  })

  test('a failure further down the trace is found, in a changed world', async () => {
    const state_overrides = { [raw(dave.wallet.address)]: { code: thrower } }
    const steps_of = [raw(dave.wallet.address)]
    const answer = await expectAnswer({ boc: await transfer(), steps: 'all', state_overrides, steps_of })
    const [root, failed] = answer.runs
    assert.deepEqual([root.vm.steps, root.failure], [[], undefined])
    assert.deepEqual([failed.account, failed.failure.exit_code, failed.failure.step], [steps_of[0], 500, 0])
    assert.equal(answer.steps[0].result.transactions[failed.hash].account_state_before.overridden, true)
  })

  test('steps of simulate run one after the other', async () => {
    const steps = [
      { message: { from: raw(alice.wallet.address), to: raw(dave.wallet.address), value: '5' } },
      { advance: { seconds: 3600 } },
      { external: { boc: await transfer(3) } },
      { external: { boc: await transfer() } },
    ]
    const answer = await expectAnswer({ steps, stop_on_error: false, record: 'summary' })
    assert.deepEqual(
      answer.steps.map(({ ok }: Json) => ok),
      [true, true, false, true],
    )
    assert.deepEqual(
      answer.runs.map(({ step, hash }: Json) => [step, hash !== undefined]),
      [
        [0, true],
        [2, false],
        [3, true],
        [3, true],
      ],
    )
    assert.ok(answer.runs[1].vm.summary.methods.length > 0)
    assert.equal((await expectAnswer({ steps: steps.slice(0, 1), record: 'none' })).runs[0].vm, undefined)
  })

  test('the client is typed', async () => {
    const client = createClient({ url: own.url })
    const { runs } = await client.debug.message({ boc: await transfer(), steps: 'all', count: 2 })
    assert.deepEqual(
      runs.map(({ vm }) => vm?.steps.length),
      [2, 2],
    )
  })

  test('faults are those of emulation', async () => {
    const boc = await transfer()
    for (const [body, error] of [
      [{}, /boc, or a list of steps/],
      [{ boc: 'te6cc_' }, /^invalid request: invalid boc: /],
      [{ boc: 'AAAA' }, /^Can't deserialize message boc: /],
      [{ boc, steps: [{ advance: { seconds: 1 } }] }, /not both/],
      [{ boc, state_overrides: { [raw(alice.wallet.address)]: { ballance: '1' } } }, /ballance/],
    ] as const) {
      const answer = await ask(body)
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], JSON.stringify(answer.body))
      assert.match(answer.body.error, error)
    }
    const late = await ask({ boc, mc_block_seqno: 100_000_000 })
    assert.deepEqual([late.status, late.body.code], [400, 'block_not_found'])
  })
})
