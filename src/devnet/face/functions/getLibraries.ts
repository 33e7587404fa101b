import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { findLibraries, listWanted } from '../libraries.ts'
import { openState } from '../openState.ts'
import { getState, newestMaster } from '../referenceBlock.ts'

/** Public libraries as of the newest block. */
export const getLibraries: LiteFunction<'liteServer.getLibraries'> = ({ store }, { libraryList }) => {
  const { libraries } = openState(getState(store, newestMaster(store))).opened
  const found = findLibraries(libraries, listWanted(libraryList)).filter(({ lib, hash }) => lib.hasHash(hash))
  return { result: found.map(({ hash, lib }) => ({ hash, data: encodeBoc([lib]) })) }
}
