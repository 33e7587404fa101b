import { type Damage, holdsChain, verifyChainFolder } from '../../devnet/store/verifyChainFolder.ts'
import type { CommandContext } from '../Command.ts'
import { networkFolder } from '../dev/startNetwork.ts'
import { dataFolder } from '../serve/gatewayOptions.ts'
import { formatCount } from './describeFinding.ts'

/** What was found in the packages of an embedded network. */
export type VerifiedNetwork = {
  readonly folder: string
  readonly blocks: number
  readonly damaged: readonly Damage[]
}

const PROGRESS_MS = 5000

/** Checks the packages of the embedded network in the data folder; `undefined` where there is none, or another network is named. */
export const verifyNetwork = async (context: CommandContext): Promise<VerifiedNetwork | undefined> => {
  const { config, logger, shutdown, show, workingDir } = context
  const folder = networkFolder(dataFolder(config, workingDir))
  const { archive, globalConfig, liteservers, network } = config
  const isOther = archive !== undefined || globalConfig !== undefined || liteservers.length > 0 || network !== 'custom'
  if (isOther || !holdsChain(folder)) return undefined
  const damaged: Damage[] = []
  let told = performance.now()
  const { blocks } = await verifyChainFolder(folder, {
    from: config.from,
    to: config.to ?? Number.MAX_SAFE_INTEGER,
    signal: shutdown.signal,
    onDamage: (damage) => {
      damaged.push(damage)
      if (!config.json) show({ text: `${damage.masterSeqno} package_damaged: ${damage.reason}`, value: damage })
    },
    onProgress: (seqno, last) => {
      if (performance.now() - told < PROGRESS_MS) return
      told = performance.now()
      logger.info('checking packages', { seqno, last, damaged: damaged.length })
    },
  })
  if (!config.json) {
    const counts = [formatCount(blocks, 'block'), formatCount(damaged.length, 'finding')].join(', ')
    show({ text: `packages of ${folder}: ${counts}`, value: { folder, blocks } })
  }
  return { folder, blocks, damaged }
}
