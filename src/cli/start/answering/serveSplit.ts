import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { findTransactionPosition } from '../../../devnet/network/rerunTransaction.ts'
import { createVirtualMachine } from '../../../tvm/createVirtualMachine.ts'
import { indexNetwork } from '../../dev/indexNetwork.ts'
import { announceSent } from '../../dev/NetworkSource.ts'
import type { ServedNetwork } from '../../dev/serveNetwork.ts'
import type { ServeSplit } from '../../dev/startNetwork.ts'
import { createMetrics } from '../../operations/metrics.ts'
import { openEmbeddedNode } from '../../serve/openNode.ts'
import { type AnsweringStart, topics } from './AnsweringProcess.ts'
import type { ControlCall } from './controlsLink.ts'
import type { startAnswering } from './startAnswering.ts'

/** The index reads blocks and states once, each soon after it appeared. */
const CACHE_BYTES = 8 * 1024 * 1024

/** Indexes a network in this process, and has another one answer HTTP. */
export const serveSplit = async (
  { answering, closeLater }: ReturnType<typeof startAnswering>,
  start: Omit<AnsweringStart, 'facts'>,
  { network, facts, plan, logger, shutdown }: Parameters<ServeSplit>[0],
): Promise<ServedNetwork> => {
  const { controls, store } = network
  const metrics = createMetrics(shutdown)
  const index = plan && (await openIndex())
  async function openIndex() {
    const node = await openEmbeddedNode(facts, logger, shutdown, { cacheBytes: CACHE_BYTES })
    // A separate VM, so that get-methods of inspected contracts cannot delay block production.
    const vm = await createVirtualMachine({ logger })
    shutdown.add('virtual machine of the index', () => vm.close())
    const opened = indexNetwork({ ...plan!, node, vm, zeroState: facts.zeroState.rootHash, logger, metrics }, shutdown)
    store.watch({
      appended: ({ id }) => node.trust.expectNewer(id.seqno),
      reverted: () => {
        node.trust.restart()
        opened.restart()
      },
    })
    return opened
  }
  store.watch({
    appended: ({ id }) => answering.notify(topics.appended, id.seqno),
    reverted: () => answering.notify(topics.reverted),
  })
  const announced = announceSent(controls, (message) => answering.notify(topics.sent, encodeBoc([message])))
  closeLater(shutdown)
  // Again, so that it closes before the database.
  index?.ready.then(
    () => closeLater(shutdown),
    () => undefined,
  )
  const urls = await answering.serve(
    { ...start, facts },
    {
      [topics.database]: async () => (await index?.ready)?.source,
      // Loaded with the first call.
      [topics.control]: async (call) => (await import('./controlsLink.ts')).callControl(announced, call as ControlCall),
      [topics.position]: (hash) => findTransactionPosition(store, hash as Uint8Array),
      [topics.metrics]: () => metrics.read(),
    },
  )
  const indexed = index?.ready.then(() => answering.untilIndexed())
  // For those who wait for it.
  indexed?.catch(() => undefined)
  return { ...urls, indexed }
}
