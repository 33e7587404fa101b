import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { Database } from '../../store/connect/Database.ts'
import { type OpenedPending, openPending, type PendingSetup } from './openPending.ts'
import type { WorkerLink } from './workers/WorkerLink.ts'

/** What is pending, known to all workers: each looks ahead for itself, and they tell each other of the messages. */
export const openSharedPending = (
  setup: PendingSetup,
  database: Database,
  link: WorkerLink | undefined,
  shutdown: Shutdown,
): Pick<OpenedPending, 'traces' | 'onSent'> => {
  const pending = openPending(setup, shutdown)
  pending.begin(Promise.resolve(database))
  // By Redis they know of each other's traces, and need not make them twice.
  if (link === undefined || setup.redisUrl !== undefined) return pending
  link.onSentElsewhere((boc) => pending.onSent(decodeSingleBoc(boc)))
  return {
    traces: pending.traces,
    onSent: (message) => {
      pending.onSent(message)
      link.tellSent(encodeBoc([message]))
    },
  }
}
