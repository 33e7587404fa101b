import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { bodyCell, openBody, readMessage } from '../../src/codec/tlb/Message.ts'
import type { MsgAddress } from '../../src/codec/tlb/MsgAddress.ts'
import { listOutMsgs, readTransaction } from '../../src/codec/tlb/Transaction.ts'
import { bytesToBigint } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'

const statuses = { uninit: 'uninitialized', frozen: 'frozen', active: 'active', nonexist: 'non-existing' } as const

const describeAddress = (address: MsgAddress): string | null => {
  switch (address.kind) {
    case 'none':
      return null
    case 'extern':
      return `External<${address.bits}:${bytesToBigint(address.value) >> BigInt(-address.bits & 7)}>`
    case 'std':
      return `${address.workchain}:${toHex(address.hash)}`
    case 'var':
      return `var:${address.workchain}:${toHex(address.value)}`
  }
}

const describeMessage = (cell: Cell) => {
  const { info, init, body } = readWhole(cell, readMessage, 'A message')
  const r = openBody(body)
  const extra = info.kind === 'internal' ? info.value.extra.entries() : []
  return {
    type: { internal: 'internal', externalIn: 'external-in', externalOut: 'external-out' }[info.kind],
    hash: toHex(cell.hash()),
    src: describeAddress(info.source),
    dest: describeAddress(info.destination),
    init: init !== undefined,
    body_hash: toHex(bodyCell(body).hash()),
    ...(info.kind === 'internal' && {
      value: String(info.value.grams),
      bounce: info.bounce,
      bounced: info.bounced,
      created_at: info.createdAt,
      fwd_fee: String(info.fwdFee),
    }),
    ...(info.kind !== 'externalIn' && { created_lt: String(info.createdLt) }),
    ...(extra.length > 0 && {
      extra_currencies: Object.fromEntries(extra.map(([id, amount]) => [id, String(amount)])),
    }),
    ...(r.remainingBits >= 32 && { opcode: `0x${r.readUint(32).toString(16).padStart(8, '0')}` }),
  }
}

/** A transaction in the words of the recorded lists, which another program wrote. */
export const describeTransaction = (cell: Cell) => {
  const tx = readTransaction(openCell(cell))
  const { description: d } = tx
  if (d.kind !== 'ord' && d.kind !== 'tick_tock') throw new Error(`No recorded list has a ${d.kind} transaction.`)
  const { computePhase: compute, action } = d
  return {
    lt: String(tx.lt),
    hash: toHex(cell.hash()),
    prev_lt: String(tx.prevTransLt),
    prev_hash: toHex(tx.prevTransHash),
    now: tx.now,
    type: d.kind === 'ord' ? 'generic' : 'tick-tock',
    orig_status: statuses[tx.origStatus],
    end_status: statuses[tx.endStatus],
    total_fees: String(tx.totalFees.grams),
    old_state_hash: toHex(tx.stateUpdate.oldHash),
    new_state_hash: toHex(tx.stateUpdate.newHash),
    aborted: d.aborted,
    destroyed: d.destroyed,
    compute:
      compute.kind === 'skipped'
        ? { skipped: compute.reason.replace('_', '-') }
        : {
            success: compute.success,
            exit_code: compute.exitCode,
            gas_used: String(compute.gasUsed),
            vm_steps: compute.vmSteps,
          },
    ...(action !== undefined && {
      action: {
        success: action.success,
        result_code: action.resultCode,
        total_actions: action.totalActions,
        skipped: action.skippedActions,
        messages_created: action.msgsCreated,
      },
    }),
    ...(d.kind === 'ord' && d.bounce !== undefined && { bounce: d.bounce.kind }),
    ...(tx.inMsg !== undefined && { in_msg: describeMessage(tx.inMsg) }),
    out_msgs: listOutMsgs(tx).map(describeMessage),
  }
}
