import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import type { Condition } from './askCondition.ts'
import { type Finding, findings } from './Finding.ts'

// As the reference client: older than this is worth a warning. A healthy network makes a block every few seconds.
const MAX_LAG_SECONDS = 60
const MAX_CLOCK_SECONDS = 10
const MIN_VERSION = 0x101
// Proof chains, the extended head and get-methods.
const NEEDED_CAPABILITIES = 7n

export const isOfNetwork = ({ zeroState }: Condition, expected: BlockIdExt | undefined): boolean =>
  expected === undefined ||
  (bytesEqual(zeroState.rootHash, expected.rootHash) && bytesEqual(zeroState.fileHash, expected.fileHash))

/** What is wrong with a server by its own account. */
export const judgeCondition = ({ version, lagSeconds = 0, clockSeconds = 0 }: Condition): readonly Finding[] => [
  ...judgeVersion(version),
  ...(lagSeconds > MAX_LAG_SECONDS ? [findings.outOfSync(lagSeconds)] : []),
  ...(Math.abs(clockSeconds) > MAX_CLOCK_SECONDS ? [findings.clockDiffers(clockSeconds)] : []),
]

const judgeVersion = (version: Condition['version']): readonly Finding[] => {
  if (version === undefined) return [findings.tooOld('It is too old to tell its version.')]
  const { number, capabilities } = version
  if (number < MIN_VERSION) {
    const [needed, has] = [formatVersion(MIN_VERSION), formatVersion(number)]
    return [findings.tooOld(`It is too old: its version is ${has}, and ${needed} is needed.`)]
  }
  if ((capabilities & NEEDED_CAPABILITIES) === NEEDED_CAPABILITIES) return []
  return [
    findings.tooOld(`It is too old: its capabilities are ${capabilities}, and ${NEEDED_CAPABILITIES} are needed.`),
  ]
}

/** 0x101 is 1.1. */
export const formatVersion = (version: number): string => `${version >>> 8}.${version & 0xff}`
