import { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { openBlock, openBlockExtra, openValueFlow } from '../../codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../codec/tlb/BlockInfo.ts'
import { writeBlockProof } from '../../codec/tlb/BlockProof.ts'
import { type BlockSignatures, cryptoSignaturePairsType } from '../../codec/tlb/BlockSignatures.ts'
import { openMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { shortKeyId, soleValidator } from '../genesis/soleValidator.ts'
import type { CheckedBlock } from '../store/ChainStore.ts'
import { prove, visitAll } from '../store/prove.ts'
import type { ValidatorKey } from './StepRequest.ts'

/** TL id of the signed block id. */
const BLOCK_ID_TAG = Uint8Array.from([0x70, 0x6e, 0x0b, 0xc5])

/** Signs a masterchain block, and makes the proof with the signature that nodes keep beside it. */
export const signBlock = (
  { id, root, info }: CheckedBlock,
  key: ValidatorKey,
): { readonly signatures: BlockSignatures; readonly proof: Uint8Array } => {
  const signature = key.sign(concatBytes([BLOCK_ID_TAG, id.rootHash, id.fileHash]))
  const nodeIdShort = shortKeyId(key.publicKey)
  const signatures: BlockSignatures = {
    kind: 'ordinary',
    validatorListHashShort: info.genValidatorListHashShort,
    catchainSeqno: info.genCatchainSeqno,
    sigCount: 1,
    sigWeight: soleValidator(key.publicKey).weight,
    signatures: Dict.of(cryptoSignaturePairsType, [[0, { nodeIdShort, signature: { kind: 'simple', signature } }]]),
  }
  const { proof: proven } = prove(root, (block) => {
    const opened = openBlock(block)
    openPrevRef(openBlockInfo(opened.info))
    openValueFlow(opened.valueFlow)
    openRaw(opened.stateUpdate)
    if (info.keyBlock) visitConfig(opened.extra)
  })
  return { signatures, proof: encodeBoc([writeWhole(writeBlockProof, { proofFor: id, root: proven, signatures })]) }
}

/** Light clients take the next validators from the configuration in a key block. */
const visitConfig = (extra: Cell): void => {
  const { custom } = openBlockExtra(extra)
  const root = custom && openMcBlockExtra(custom).config?.config.root
  if (root instanceof Cell) visitAll(root)
}
