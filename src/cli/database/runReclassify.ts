import { Classifier } from '../../indexer/classify/Classifier.ts'
import { LeaseHeldError } from '../../store/errors.ts'
import { addUnclassifiedRange } from '../../store/writer/actions.ts'
import type { CommandContext } from '../Command.ts'
import { expectRange } from '../index/expectRange.ts'
import { letFinish } from './letFinish.ts'
import { openIndex } from './openIndex.ts'
import { takeLease } from './takeLease.ts'

const MAX_SEQNO = 2 ** 31 - 1

/** Says anew what happened in traces that ended in a range of blocks, without indexing them again. */
export const runReclassify = async (context: CommandContext): Promise<void> => {
  expectRange(context.config)
  const { database } = await openIndex(context)
  const { from, to = MAX_SEQNO } = context.config
  const blocks = await database.transaction((client) => addUnclassifiedRange(client, from, to))
  const work = async (): Promise<void> => {
    const classifier = await classify(context, database)
    context.show({
      text:
        classifier === undefined
          ? `${blocks} blocks are on the list. The indexer that is at work classifies them.`
          : `${classifier.traces} traces of ${blocks} blocks are classified: ${classifier.actions} actions.`,
      value: { blocks, traces: classifier?.traces, actions: classifier?.actions },
    })
  }
  await letFinish(context.shutdown, 'classifying', work())
}

/** `undefined` where an indexer is at work, which does it. */
const classify = async (
  context: CommandContext,
  database: Awaited<ReturnType<typeof openIndex>>['database'],
): Promise<Classifier | undefined> => {
  const { logger, shutdown } = context
  const lease = await takeLease(context, database).catch((error: unknown) => {
    if (error instanceof LeaseHeldError) return undefined
    throw error
  })
  if (lease === undefined) return undefined
  try {
    const classifier = new Classifier({ database, lease, logger, untilDone: true })
    await classifier.run(shutdown.signal)
    return classifier
  } finally {
    await lease.release()
  }
}
