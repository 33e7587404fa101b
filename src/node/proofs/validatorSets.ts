import { createHash } from 'node:crypto'
import { ProofFailedError } from '../../chain/errors.ts'
import type { ShardIdent } from '../../codec/tlb/BlockInfo.ts'
import { type ConfigDict, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { listValidators, type ValidatorDescr } from '../../codec/tlb/ValidatorSet.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { getU64BE, putU32BE, putU32LE, putU64BE, putU64LE } from '../../primitives/bytes.ts'
import { crc32c } from '../../primitives/crc.ts'
import { proving } from './unwrapProof.ts'

/** The validators that may sign the blocks after a key block, up to and including the next one. */
export type SigningRules = {
  /** Seqno of the key block that says so; 0 for the zerostate. */
  readonly keyBlockSeqno: number
  readonly validators: readonly ValidatorDescr[]
  /** How many of the first ones serve the masterchain. */
  readonly main: number
  readonly shuffleMasterchain: boolean
  readonly shardValidators: number
}

/** No sum of weights comes near to what 64 bits can count. */
const MAX_TOTAL_WEIGHT = 1n << 61n

/** Takes the rules from the configuration of a key block or the zerostate: parameters 34 (or 35) and 28. */
export const readSigningRules = (keyBlockSeqno: number, config: ConfigDict): SigningRules =>
  proving('who signs blocks', () => {
    const set = findConfigParam(config, 35) ?? findConfigParam(config, 34)
    const catchain = findConfigParam(config, 28)
    if (set === undefined || catchain === undefined) {
      throw new ProofFailedError('A configuration does not say who signs blocks.')
    }
    // A copy: keys are stored for long, and the value is a view of the whole proof.
    const validators = listValidators(set).map(({ publicKey, weight, adnlAddress }) => ({
      publicKey: publicKey.slice(),
      weight,
      adnlAddress: adnlAddress?.slice(),
    }))
    const totalWeight = validators.reduce((sum, { weight }) => sum + weight, 0n)
    if (totalWeight > MAX_TOTAL_WEIGHT || (set.totalWeight !== undefined && set.totalWeight !== totalWeight)) {
      throw new ProofFailedError(`The validators weigh ${totalWeight}, their set says ${set.totalWeight}.`)
    }
    return {
      keyBlockSeqno,
      validators,
      main: set.main,
      shuffleMasterchain: catchain.extension?.shuffleMcValidators ?? false,
      shardValidators: catchain.shardValidatorsNum,
    }
  })

const HEAD_BYTES = 12
const NODE_BYTES = 72
const TAG = 0x901660ed

/** The checksum by which headers and signature sets name the validators of a session; states use it with seqno 0. */
export const validatorListHash = (nodes: readonly ValidatorDescr[], catchainSeqno: number): number => {
  const bytes = new Uint8Array(HEAD_BYTES + NODE_BYTES * nodes.length)
  putU32LE(bytes, 0, TAG)
  putU32LE(bytes, 4, catchainSeqno)
  putU32LE(bytes, 8, nodes.length)
  let at = HEAD_BYTES
  for (const { publicKey, weight, adnlAddress } of nodes) {
    bytes.set(publicKey, at)
    putU64LE(bytes, at + 32, weight)
    if (adnlAddress !== undefined) bytes.set(adnlAddress, at + 40)
    at += NODE_BYTES
  }
  return crc32c(bytes)
}

const SEED_BYTES = 32

/** Numbers by which all nodes pick the same validators: gives one from 0 up to, not including, `range` (64 bits). */
export const createValidatorPrng = (
  { workchain, shard }: ShardIdent,
  catchainSeqno: number,
): ((range: bigint) => bigint) => {
  const block = new Uint8Array(SEED_BYTES + 16)
  putU64BE(block, SEED_BYTES, shard)
  putU32BE(block, SEED_BYTES + 8, workchain)
  putU32BE(block, SEED_BYTES + 12, catchainSeqno)
  let numbers: Uint8Array = new Uint8Array(0)
  let at = 0
  return (range) => {
    if (at === numbers.length) {
      numbers = createHash('sha512').update(block).digest()
      at = 0
      incrementSeed(block)
    }
    const next = getU64BE(numbers, at)
    at += 8
    return (range * next) >> 64n
  }
}

const incrementSeed = (block: Uint8Array): void => {
  for (let k = SEED_BYTES - 1; k >= 0; k--) {
    block[k]!++
    if (block[k] !== 0) return
  }
}

/** The validators that make and sign the blocks of a shard during one session, in order. */
export const validatorSubset = (
  rules: SigningRules,
  shard: ShardIdent,
  catchainSeqno: number,
): readonly ValidatorDescr[] => {
  const draw = createValidatorPrng(shard, catchainSeqno)
  return shard.workchain === masterchain ? pickForMasterchain(rules, draw) : pickForShard(rules, draw)
}

type Draw = (range: bigint) => bigint

const pickForMasterchain = (rules: SigningRules, draw: Draw): readonly ValidatorDescr[] => {
  const { validators, main, shuffleMasterchain } = rules
  const count = Math.min(main, validators.length)
  if (!shuffleMasterchain) return validators.slice(0, count)
  const order: number[] = []
  for (let i = 0; i < count; i++) {
    const j = Number(draw(BigInt(i + 1)))
    order[i] = order[j] ?? i
    order[j] = i
  }
  return order.map((position) => validators[position]!)
}

/** A range of the weights, taken together in the order of the validators, that is already given out. */
type Hole = { readonly start: bigint; readonly length: bigint }

/** Picks by weight, each at most once. In a shard every validator has weight 1. */
const pickForShard = ({ validators, shardValidators }: SigningRules, draw: Draw): readonly ValidatorDescr[] => {
  const starts: bigint[] = []
  let left = 0n
  for (const { weight } of validators) {
    starts.push(left)
    left += weight
  }
  const picked: ValidatorDescr[] = []
  const holes: Hole[] = []
  for (let k = Math.min(shardValidators, validators.length); k > 0; k--) {
    let point = draw(left)
    for (const { start, length } of holes) {
      if (point < start) break
      point += length
    }
    const position = starts.findLastIndex((start) => start <= point)
    const validator = validators[position]
    if (validator === undefined || validator.weight === 0n) {
      throw new ProofFailedError('The validators of a shard cannot be picked: too few of them have any weight.')
    }
    picked.push({ ...validator, weight: 1n })
    left -= validator.weight
    const hole = { start: starts[position]!, length: validator.weight }
    const after = holes.findIndex(({ start }) => start > hole.start)
    holes.splice(after === -1 ? holes.length : after, 0, hole)
  }
  return picked
}
