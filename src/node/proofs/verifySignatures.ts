import { isSignatureValid, keyIdOf } from '../../adnl/keys.ts'
import { ProofFailedError } from '../../chain/errors.ts'
import type { ValidatorDescr } from '../../codec/tlb/ValidatorSet.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'
import type { SignatureSet } from './SignatureSet.ts'
import { signedBytes } from './signedBytes.ts'

/**
 * More than two thirds of the validators, by weight, must have signed. Each signature must be valid, and by another of them.
 * Returns the weight that signed.
 */
export const verifySignatures = (block: BlockIdExt, nodes: readonly ValidatorDescr[], set: SignatureSet): bigint => {
  const message = signedBytes(block, set)
  const waiting = new Map(nodes.map((node) => [toHex(keyIdOf(node.publicKey)), node]))
  const totalWeight = nodes.reduce((sum, { weight }) => sum + weight, 0n)
  let signedWeight = 0n
  for (const { nodeId, signature } of set.signatures) {
    const name = toHex(nodeId)
    const node = waiting.get(name)
    if (node === undefined) {
      throw new ProofFailedError(
        `Block ${formatBlockId(block)} is signed by ${name}, a stranger or for the second time.`,
      )
    }
    waiting.delete(name)
    if (!isSignatureValid(node.publicKey, message, signature)) {
      throw new ProofFailedError(`The signature of ${name} under block ${formatBlockId(block)} is not valid.`)
    }
    signedWeight += node.weight
  }
  if (3n * signedWeight <= 2n * totalWeight) {
    throw new ProofFailedError(
      `Block ${formatBlockId(block)} is signed with weight ${signedWeight} of ${totalWeight}; more than two thirds it takes.`,
    )
  }
  return signedWeight
}
