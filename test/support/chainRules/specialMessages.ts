import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { openInMsg } from '../../../src/codec/tlb/InMsgDescr.ts'
import { masterchain } from '../../../src/primitives/BlockId.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { type Amount, amountOf } from './amounts.ts'
import type { BlockContext } from './BlockContext.ts'
import { openEnvelope } from './EnvelopeView.ts'
import type { Findings } from './Findings.ts'
import { plannedMint } from './valueFlow.ts'

/** What is paid out and what is minted is delivered by messages that nobody sent. */
export const checkSpecialMessages = (context: BlockContext, findings: Findings): void => {
  const { block, before, config } = context
  const { recoverCreateMsg, mintMsg } = block.master!
  checkSpecial(
    context,
    'recover_create_msg',
    recoverCreateMsg,
    amountOf(block.flow.recovered),
    config.feeCollector,
    findings,
  )
  const minted = plannedMint(before[0]!, config.toMint)
  checkSpecial(context, 'mint_msg', mintMsg, minted, config.minter, findings)
}

const checkSpecial = (
  { block }: BlockContext,
  name: string,
  cell: Cell | undefined,
  value: Amount,
  receiver: string,
  findings: Findings,
): void => {
  findings.equal(name, cell !== undefined, value.size > 0)
  if (cell === undefined) return
  const msg = openInMsg(cell)
  if (msg.kind !== 'immediate') {
    findings.fail(`kind of ${name}`, 'immediate', msg.kind)
    return
  }
  const envelope = openEnvelope(msg.inMsg)
  const { info } = envelope
  findings.equal(`InMsg of ${name}`, block.inMsgs.get(envelope.message)?.hash, toHex(cell.hash()))
  findings.equal(`OutMsg of ${name}`, block.outMsgs.has(envelope.message), false)
  findings.equal(`value of ${name}`, amountOf(info.value), value)
  findings.equal(`fwd_fee of ${name}`, info.fwdFee, 0n)
  const address = ({ kind, workchain, ...rest }: typeof info.source): string =>
    `${workchain}:${kind === 'std' && 'hash' in rest ? toHex(rest.hash) : kind}`
  findings.equal(`source of ${name}`, address(info.source), `${masterchain}:${'0'.repeat(64)}`)
  findings.equal(`destination of ${name}`, address(info.destination), `${masterchain}:${receiver}`)
  findings.equal(`created_lt of ${name}`, info.createdLt, block.info.startLt)
  findings.equal(`created_at of ${name}`, info.createdAt, block.info.genUtime)
  findings.equal(`version of the envelope of ${name}`, envelope.envelope.version, 1)
}
