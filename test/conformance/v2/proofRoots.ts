import type { JsonObject, JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { openRaw } from '../../../src/codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../../src/codec/cell/decodeBoc.ts'

/** A proof of a shard block in which the proofs that a state knows old blocks tell only which state that is. */
export const withProofRoots = (result: JsonValue): JsonValue => {
  const { mc_proof, ...others } = result as { mc_proof: readonly JsonObject[] } & JsonObject
  return {
    ...others,
    mc_proof: mc_proof.map((link) => ({ ...link, state_proof: proofRootOf(link['state_proof'] as string) })),
  }
}

/** The root of a Merkle proof has the hash of what is proven in it. */
const proofRootOf = (base64: string): string => {
  const root = decodeSingleBoc(new Uint8Array(Buffer.from(base64, 'base64')))
  return Buffer.from(openRaw(root).readBits(root.bits)).toString('hex')
}
