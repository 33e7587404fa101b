import { visitEntries } from '../../../codec/cell/Dict.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { findLibraries, listWanted } from '../libraries.ts'
import { proveState } from '../merkle.ts'
import { openState } from '../openState.ts'
import { loadMasterBlockAndState } from '../referenceBlock.ts'
import { proveStateRoot } from '../stateRootProof.ts'

const WITH_PUBLISHERS = 1
const WITHOUT_DATA = 2
const MAX_PUBLISHERS = 16

/** Public libraries after a masterchain block, with the proof that they are, or are not. */
export const getLibrariesWithProof: LiteFunction<'liteServer.getLibrariesWithProof'> = (
  { store },
  { id, mode, libraryList },
) => {
  const { root, state } = loadMasterBlockAndState(store, id)
  const { value: found, proof } = proveState(state, (stateRoot) => {
    const libraries = findLibraries(openState(stateRoot).opened.libraries, listWanted(libraryList))
    if ((mode & WITH_PUBLISHERS) !== 0) {
      for (const { publishers } of libraries) {
        let left = MAX_PUBLISHERS
        visitEntries(publishers, {}, () => --left > 0)
      }
    }
    return libraries
  })
  return {
    id,
    mode,
    result: found
      .filter(({ lib, hash }) => lib.hasHash(hash))
      .map(({ hash, lib }) => ({ hash, data: (mode & WITHOUT_DATA) === 0 ? encodeBoc([lib]) : new Uint8Array() })),
    stateProof: encodeBoc([proveStateRoot(root)]),
    dataProof: encodeBoc([proof]),
  }
}
