import { ProofFailedError } from '../../chain/errors.ts'
import type { ShardIdent } from '../../codec/tlb/BlockInfo.ts'
import type { ValidatorDescr } from '../../codec/tlb/ValidatorSet.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import type { SigningRules } from './SigningRules.ts'
import { createValidatorPrng } from './validatorPrng.ts'

/** Those of the validators that make and sign the blocks of a shard during one session, in their order. */
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
  return order.map((place) => validators[place]!)
}

/** A range of the weights, taken together in the order of the validators, that is already given out. */
type Hole = { readonly start: bigint; readonly length: bigint }

/** Picks by weight, each at most once. In a shard all have the same say, so all weigh 1. */
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
    const place = starts.findLastIndex((start) => start <= point)
    const validator = validators[place]
    if (validator === undefined || validator.weight === 0n) {
      throw new ProofFailedError('The validators of a shard cannot be picked: too few of them have any weight.')
    }
    picked.push({ ...validator, weight: 1n })
    left -= validator.weight
    const hole = { start: starts[place]!, length: validator.weight }
    const after = holes.findIndex(({ start }) => start > hole.start)
    holes.splice(after === -1 ? holes.length : after, 0, hole)
  }
  return picked
}
