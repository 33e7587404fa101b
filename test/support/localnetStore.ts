import { readdirSync } from 'node:fs'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { openBlockProof } from '../../src/codec/tlb/BlockProof.ts'
import type { BlockSignatures } from '../../src/codec/tlb/BlockSignatures.ts'
import { createMemoryFiles } from '../../src/devnet/store/BlockFiles.ts'
import { ChainStore, type CheckedBlock, checkBlock, checkZeroState } from '../../src/devnet/store/ChainStore.ts'
import { type BlockId, formatBlockId, masterchain } from '../../src/primitives/BlockId.ts'
import { fixturePath, listFixtures, readFixture } from './fixtures.ts'
import { packEntries } from './packEntries.ts'

/** The blocks of the recorded network by place, checked. */
const readLocalnetBlocks = (): Map<string, CheckedBlock> =>
  new Map(
    readdirSync(fixturePath('localnet/blocks'))
      .filter((name) => name.endsWith('.boc'))
      .map((name) => checkBlock(readFixture(`localnet/blocks/${name}`)))
      .map((block) => [formatBlockId(block.id), block]),
  )

export const readLocalnetZeroStates = () =>
  ['zerostate', 'basestate0'].map((name) => checkZeroState(readFixture(`localnet/config/${name}.boc`)))

/** The signatures under the masterchain blocks, by place, from the node's own packages. */
const readLocalnetSignatures = (): Map<string, BlockSignatures> => {
  const signatures = new Map<string, BlockSignatures>()
  for (const file of listFixtures('localnet/node-db/archive/packages/arch0000', '.pack')) {
    for (const { name, data } of packEntries(readFixture(file))) {
      if (!name.startsWith('proof_')) continue
      const proof = openBlockProof(decodeSingleBoc(data.slice()))
      if (proof.signatures !== undefined) signatures.set(formatBlockId(proof.proofFor), proof.signatures)
    }
  }
  return signatures
}

/** Takes up the blocks one masterchain block after another, until one is missing. */
export const replayInto = async (
  store: ChainStore,
  blocks: ReadonlyMap<string, CheckedBlock>,
  signatures: ReadonlyMap<string, BlockSignatures> = new Map(),
): Promise<void> => {
  const find = (id: BlockId): CheckedBlock | undefined => blocks.get(formatBlockId(id))
  for (;;) {
    const next = { workchain: masterchain, shard: store.zeroState.shard, seqno: (store.head?.id.seqno ?? 0) + 1 }
    const master = find(next)
    if (master === undefined) return
    const shardBlocks = await store.listIncluded(master, (id) => {
      const block = find(id)
      if (block === undefined) throw new Error(`Block ${formatBlockId(id)} is not in the recorded data.`)
      return block
    })
    store.append({ master, shardBlocks, signatures: signatures.get(formatBlockId(next)) })
  }
}

const load = async (): Promise<ChainStore> => {
  const store = new ChainStore(readLocalnetZeroStates(), createMemoryFiles(), { keep: 0 })
  await replayInto(store, readLocalnetBlocks(), readLocalnetSignatures())
  return store
}

let loaded: Promise<ChainStore> | undefined

/** The whole recorded network in a store, all states kept. It is made once for all tests of a process: only read it. */
export const loadLocalnetStore = (): Promise<ChainStore> => {
  loaded ??= load()
  return loaded
}
