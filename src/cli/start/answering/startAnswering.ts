import type { Shutdown } from '../../../observe/Shutdown.ts'
import type { CommandContext } from '../../Command.ts'
import type { ReservedPort } from '../ReservedPort.ts'
import { AnsweringProcess } from './AnsweringProcess.ts'

/** For a process to close what it has open, beyond the drain. */
const GRACE_MS = 5000

/** Starts the process that answers HTTP. `closeLater` has it closed before what was opened until then. */
export const startAnswering = (
  { config, logger, shutdown }: CommandContext,
  http: ReservedPort,
): { readonly answering: AnsweringProcess; closeLater(shutdown: Pick<Shutdown, 'add'>): void } => {
  const closeTimeoutMs = config.drainDelay + config.drainTimeout + GRACE_MS
  const answering = new AnsweringProcess({ http, logger, closeTimeoutMs })
  const closeLater = (each: Pick<Shutdown, 'add'>): void => {
    each.add('answering process', () => answering.close(), closeTimeoutMs + GRACE_MS)
  }
  closeLater(shutdown)
  return { answering, closeLater }
}
