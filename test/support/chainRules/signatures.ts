import { createPublicKey, verify } from 'node:crypto'
import { openCell } from '../../../src/codec/cell/CellReader.ts'
import { readSnake } from '../../../src/codec/content/text.ts'
import type { BlockSignatures } from '../../../src/codec/tlb/BlockSignatures.ts'
import type { BlockIdExt } from '../../../src/primitives/BlockId.ts'
import { concatBytes, putU32LE, putU64LE } from '../../../src/primitives/bytes.ts'
import { sha256 } from '../../../src/primitives/hash.ts'
import { fromHex, toHex } from '../../../src/primitives/hex.ts'
import type { BlockContext } from './BlockContext.ts'
import type { Findings } from './Findings.ts'
import { hashValidators, pickValidators } from './validators.ts'

const u32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  putU32LE(bytes, 0, value)
  return bytes
}

const u64 = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(8)
  putU64LE(bytes, 0, value)
  return bytes
}

const idBytes = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): Uint8Array =>
  concatBytes([u32(workchain), u64(shard), u32(seqno), rootHash, fileHash])

/** What is signed: the hashes of the block, or the vote of a simplex session that makes its candidate final. */
const signedBytes = (id: BlockIdExt, set: BlockSignatures, findings: Findings): Uint8Array => {
  if (set.kind === 'ordinary') return concatBytes([fromHex('706e0bc5'), id.rootHash, id.fileHash])
  const candidate = readSnake(openCell(set.candidate))
  findings.equal('block of the candidate that was voted for', candidate.slice(4, 84), idBytes(id))
  const vote = concatBytes([fromHex('05e1a7403fcd91b6'), u32(set.slot), sha256(candidate)])
  return concatBytes([fromHex('f83de3a8'), set.sessionId, Uint8Array.of(vote.length), vote, new Uint8Array(3)])
}

const isValid = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean => {
  const der = concatBytes([fromHex('302a300506032b6570032100'), publicKey])
  return verify(null, message, createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }), signature)
}

/** More than two thirds of the validators, by weight, have signed the masterchain block: those of the state before it. */
export const checkSignatures = (
  { block, own, config }: BlockContext,
  set: BlockSignatures | undefined,
  findings: Findings,
): void => {
  if (set === undefined) {
    findings.fail('signatures', 'some', 'none')
    return
  }
  const { genCatchainSeqno } = block.info
  const validators = pickValidators(config, own, genCatchainSeqno)
  findings.equal('kind of signatures', set.kind, config.params.config.find(30) === undefined ? 'ordinary' : 'simplex')
  findings.equal('catchain_seqno of the signatures', set.catchainSeqno, genCatchainSeqno)
  const listHash = hashValidators(validators, genCatchainSeqno)
  findings.equal('validator_list_hash_short of the signatures', set.validatorListHashShort, listHash)
  const message = signedBytes(block.id, set, findings)
  const waiting = new Map(
    validators.map((each) => [toHex(sha256(concatBytes([fromHex('c6b41348'), each.publicKey]))), each]),
  )
  let signed = 0n
  const pairs = set.signatures.entries()
  for (const [number, { nodeIdShort, signature }] of pairs) {
    const name = toHex(nodeIdShort)
    const validator = waiting.get(name)
    waiting.delete(name)
    const valid = validator !== undefined && isValid(validator.publicKey, message, signature.signature)
    findings.isTrue(`signature ${number} of ${name}`, valid, 'a valid one of a validator', 'another')
    if (valid) signed += validator.weight
  }
  findings.equal('sig_count', set.sigCount, pairs.length)
  findings.equal('sig_weight', set.sigWeight, signed)
  const total = validators.reduce((sum, { weight }) => sum + weight, 0n)
  findings.isTrue('weight of the signatures', 3n * signed > 2n * total, `more than two thirds of ${total}`, signed)
}
