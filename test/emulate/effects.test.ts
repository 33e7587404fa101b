import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { readCommonMsgInfo } from '../../src/codec/tlb/Message.ts'
import { listOutMsgs, type Transaction } from '../../src/codec/tlb/Transaction.ts'
import { createTraffic } from '../../src/devnet/demo/createTraffic.ts'
import { createRandom } from '../../src/devnet/demo/DemoStep.ts'
import { fromBase64, toBase64 } from '../../src/primitives/base64.ts'
import { bocOf, startEmulatedNetwork } from '../support/emulatedNetwork.ts'
import { expectConservation } from '../support/expectConservation.ts'
import { filled } from '../support/sampleMessages.ts'
import { isLong } from '../support/testLength.ts'
import { getV3, type Json } from '../support/v3Client.ts'

const MESSAGES = isLong ? 200 : 20

const storageOf = ({ description }: Transaction): bigint =>
  ('storagePhase' in description && description.storagePhase?.storageFeesCollected) || 0n

const outcomeOf = (transaction: Transaction) => {
  const { description, totalFees, origStatus, endStatus } = transaction
  const compute = 'computePhase' in description ? description.computePhase : undefined
  return {
    // Storage is paid by the second, and blocks may be made in different ones.
    fees: String(totalFees.grams - storageOf(transaction)),
    origStatus,
    endStatus,
    exitCode: compute?.kind === 'vm' ? compute.exitCode : undefined,
    gas: compute?.kind === 'vm' ? String(compute.gasUsed) : undefined,
    values: listOutMsgs(transaction).map((cell) => {
      const info = readCommonMsgInfo(openCell(cell))
      return info.kind === 'internal' ? `${info.fwdFee}` : info.kind
    }),
  }
}

const emulatedStorageOf = ({ description }: Json): bigint => BigInt(description.storage_ph?.storage_fees_collected ?? 0)

const hashOf = (boc: string): string | undefined =>
  boc === '' ? undefined : toBase64(decodeSingleBoc(fromBase64(boc)).hash())

const emulatedOutcomeOf = ({ description, total_fees, orig_status, end_status, out_msgs }: Json) => ({
  fees: String(BigInt(total_fees) - BigInt(description.storage_ph?.storage_fees_collected ?? 0)),
  origStatus: orig_status,
  endStatus: end_status,
  exitCode: description.compute_ph.skipped ? undefined : description.compute_ph.exit_code,
  gas: description.compute_ph.skipped ? undefined : description.compute_ph.gas_used,
  values: out_msgs.map(({ fwd_fee }: Json) => fwd_fee ?? 'externalOut'),
})

test(`${MESSAGES} messages have the effects that emulation says`, async () => {
  const own = await startEmulatedNetwork({ after })
  const { controls } = own.network
  const begun = performance.now()
  let exact = 0
  let transactionsCompared = 0
  let compared = 0
  own.onSend = async (message: Cell): Promise<void> => {
    const { seqno } = controls.getStatus().head
    await controls.send(message)
    await controls.mine(1)
    const now = controls.getStatus().utime
    await own.settle()
    const request = {
      boc: bocOf(message),
      mc_block_seqno: seqno,
      block: { now },
      summary: true,
      include_code_data: true,
    }
    const answer = await own.expectEmulated('emulateTrace', request)
    expectConservation(answer)
    exact += await compare(answer)
    compared++
  }
  /** 1 if all blocks were made in the same second, so that storage fees and balances are the same, too. */
  const compare = async ({ transactions, is_incomplete }: Json): Promise<number> => {
    assert.equal(is_incomplete, false)
    const byAccount = new Map<string, Json[]>()
    for (const each of Object.values(transactions) as Json[]) {
      byAccount.set(each.account, [...(byAccount.get(each.account) ?? []), each])
    }
    let isExact = 1
    for (const [account, emulated] of byAccount) {
      emulated.sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
      if (emulated.at(-1).end_status === 'nonexist') {
        // A message that bounces from nobody leaves nobody, so that there is no list; the sender's transaction tells what came back.
        const { body } = await getV3(`${own.url}/api/v2`, 'getAddressInformation', { address: account })
        assert.deepEqual([body.result.state, body.result.balance], ['uninitialized', '0'], account)
        continue
      }
      const real = (await own.listTransactions(account, emulated.length)).reverse()
      transactionsCompared += real.length
      assert.deepEqual(emulated.map(emulatedOutcomeOf), real.map(outcomeOf), account)
      const isSameTime = real.every(({ now }, k) => now === emulated[k].now)
      if (isSameTime) assert.deepEqual(emulated.map(emulatedStorageOf), real.map(storageOf), account)
      const state = await getV3(`${own.url}/api/v2`, 'getAddressInformation', { address: account })
      const last = emulated.at(-1).account_state_after
      assert.equal(state.body.result.state === 'active', last.account_status === 'active', account)
      assert.equal(hashOf(state.body.result.code), last.code_hash ?? undefined, account)
      if (isSameTime) {
        // Some contracts store the time.
        assert.equal(hashOf(state.body.result.data), last.data_hash ?? undefined, account)
        assert.equal(state.body.result.balance, last.balance, account)
      } else isExact = 0
    }
    return isExact
  }
  const traffic = createTraffic({ ...own, random: createRandom(filled(3)) })
  while (compared < MESSAGES) await traffic.step()
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(
    `${compared} messages, ${transactionsCompared} transactions equal, ${exact} traces to the coin, ${seconds} s`,
  )
  assert.ok(exact > compared / 4, `${exact} of ${compared} within one second`)
})
