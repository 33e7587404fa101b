import { existsSync } from 'node:fs'
import type { Finding } from '../../indexer/verify/verifyRange.ts'
import type { CommandContext } from '../Command.ts'
import { exitCodes } from '../exitCodes.ts'
import { expectRange } from '../index/expectRange.ts'
import { dataFolder } from '../serve/gatewayOptions.ts'
import { checkBlocks, chooseBlocks } from './checkBlocks.ts'
import { describeFinding, formatCount } from './describeFinding.ts'
import { letFinish } from './letFinish.ts'
import { databaseFolder } from './openDatabase.ts'
import { openIndex } from './openIndex.ts'
import { openSource } from './openSource.ts'
import { type VerifiedNetwork, verifyNetwork } from './verifyNetwork.ts'

/** Looks whether the packages of an embedded network are what they were, and whether the rows of covered blocks are what they were and, where there is a source, what it has. */
export const runVerify = async (context: CommandContext): Promise<number> => {
  const { shutdown } = context
  expectRange(context.config)
  const network = await verifyNetwork(context)
  if (network !== undefined && !hasDatabase(context)) {
    context.show({ text: 'There is no index of it here.', value: { network } })
    return network.damaged.length === 0 ? exitCodes.ok.code : exitCodes.failed.code
  }
  const { database, state, ranges } = await openIndex(context)
  const chosen = chooseBlocks(ranges, context.config)
  const readBlockSet = state && (await openSource(context, state, chosen))
  return letFinish(shutdown, 'verifying', verify(context, { database, chosen, readBlockSet, network }))
}

/** An embedded network may have been run without an index. */
const hasDatabase = ({ config, workingDir }: CommandContext): boolean =>
  config.databaseUrl !== undefined || existsSync(databaseFolder(dataFolder(config, workingDir)))

type Work = {
  readonly database: Parameters<typeof checkBlocks>[0]
  readonly chosen: ReturnType<typeof chooseBlocks>
  readonly readBlockSet: Parameters<typeof checkBlocks>[1]['readBlockSet']
  readonly network: VerifiedNetwork | undefined
}

const verify = async (
  { config, logger, shutdown, show }: CommandContext,
  { database, chosen, readBlockSet, network }: Work,
): Promise<number> => {
  const list: Finding[] = []
  const { blocks, transactions, findings, isWhole } = await checkBlocks(database, {
    ranges: chosen,
    readBlockSet,
    signal: shutdown.signal,
    logger,
    isQuiet: config.json,
    onFindings: (found) => {
      if (config.json) list.push(...found)
      else for (const finding of found) show({ text: describeFinding(finding), value: finding })
    },
  })
  const counts = [
    formatCount(blocks, 'block'),
    formatCount(transactions, 'transaction'),
    formatCount(findings, 'finding'),
  ]
  show({
    text: `${isWhole ? '' : 'Stopped before the end: '}${counts.join(', ')}`,
    value: {
      ranges: chosen,
      source: readBlockSet !== undefined,
      complete: isWhole,
      blocks,
      transactions,
      findings: list,
      ...(network !== undefined && { network }),
    },
  })
  return findings === 0 && (network?.damaged.length ?? 0) === 0 ? exitCodes.ok.code : exitCodes.failed.code
}
