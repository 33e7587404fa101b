import { createHash } from 'node:crypto'
import type { ShardIdent } from '../../../src/codec/tlb/BlockInfo.ts'
import type { ValidatorDescr } from '../../../src/codec/tlb/ValidatorSet.ts'
import { masterchain } from '../../../src/primitives/BlockId.ts'
import {
  bigintToBytes,
  bytesToBigint,
  concatBytes,
  putU32BE,
  putU32LE,
  putU64LE,
} from '../../../src/primitives/bytes.ts'
import { crc32c } from '../../../src/primitives/crc.ts'
import type { NetworkConfig } from './NetworkConfig.ts'

const u32 = (value: number, put: (bytes: Uint8Array, at: number, value: number) => void): Uint8Array => {
  const bytes = new Uint8Array(4)
  put(bytes, 0, value)
  return bytes
}

/** Numbers from SHA-512 of a growing seed, the shard and the session: `next(range)` is below `range`. */
function* randomNumbers({ workchain, shard }: ShardIdent, catchainSeqno: number): Generator<bigint, never> {
  for (let seed = 0n; ; seed++) {
    const rest = [bigintToBytes(shard, 8), u32(workchain, putU32BE), u32(catchainSeqno, putU32BE)]
    const digest = createHash('sha512')
      .update(concatBytes([bigintToBytes(seed, 32), ...rest]))
      .digest()
    for (let at = 0; at < 64; at += 8) yield bytesToBigint(digest.subarray(at, at + 8))
  }
}

/** The validators of a shard in one session, in their order and with the weights that count there. */
export const pickValidators = (
  { validators, mainValidators, catchain }: NetworkConfig,
  shard: ShardIdent,
  catchainSeqno: number,
): readonly ValidatorDescr[] => {
  const numbers = randomNumbers(shard, catchainSeqno)
  const draw = (range: bigint): bigint => (range * numbers.next().value) >> 64n
  if (shard.workchain !== masterchain) return pickByWeight(validators, catchain.shardValidatorsNum, draw)
  const count = Math.min(mainValidators, validators.length)
  if (catchain.extension?.shuffleMcValidators !== true) return validators.slice(0, count)
  const shuffled: ValidatorDescr[] = []
  for (let i = 0; i < count; i++) {
    const j = Number(draw(BigInt(i + 1)))
    if (j < i) shuffled.push(shuffled[j]!)
    shuffled[j] = validators[i]!
  }
  return shuffled
}

/** Each draw points into the weights of those not picked yet, laid side by side in their order. */
const pickByWeight = (
  validators: readonly ValidatorDescr[],
  wanted: number,
  draw: (range: bigint) => bigint,
): ValidatorDescr[] => {
  const rest = [...validators]
  const picked: ValidatorDescr[] = []
  while (picked.length < wanted && rest.length > 0) {
    let point = draw(rest.reduce((sum, { weight }) => sum + weight, 0n))
    const at = rest.findIndex(({ weight }) => {
      point -= weight
      return point < 0n
    })
    picked.push({ ...rest[at]!, weight: 1n })
    rest.splice(at, 1)
  }
  return picked
}

/** The checksum by which headers and signatures name the validators of a session. */
export const hashValidators = (validators: readonly ValidatorDescr[], catchainSeqno: number): number => {
  const weightBytes = (weight: bigint): Uint8Array => {
    const bytes = new Uint8Array(8)
    putU64LE(bytes, 0, weight)
    return bytes
  }
  const nodes = validators.flatMap(({ publicKey, weight, adnlAddress }) => [
    publicKey,
    weightBytes(weight),
    adnlAddress ?? new Uint8Array(32),
  ])
  const head = [0x901660ed, catchainSeqno, validators.length].map((value) => u32(value, putU32LE))
  return crc32c(concatBytes([...head, ...nodes]))
}
