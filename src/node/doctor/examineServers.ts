import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import type { Examination } from './Examination.ts'
import { examineServer } from './examineServer.ts'

export type DoctorOptions = {
  readonly zeroState: BlockIdExt | undefined
  readonly anchor: BlockIdExt | undefined
  /** A key block that was proven from the anchor in an earlier run. */
  readonly trusted: BlockIdExt | undefined
  readonly stepMs: number
  /** However long servers make one wait, this is the end. */
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** Looks at all servers at once. */
export const examineServers = (
  servers: readonly LiteServerAddress[],
  { zeroState, anchor, trusted, stepMs, limitMs, signal }: DoctorOptions,
): Promise<readonly Examination[]> => {
  const endsAt = performance.now() + limitMs
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const keyBlock = trusted !== undefined && anchor !== undefined && trusted.seqno > anchor.seqno ? trusted : anchor
  const options = {
    zeroState,
    anchor,
    proven: keyBlock === undefined ? undefined : { keyBlock },
    stepMs,
    deadline,
    isTimeUp: () => deadline.aborted || performance.now() >= endsAt,
  }
  return Promise.all(servers.map((address) => examineServer(address, options)))
}
