import { type Static, Type } from 'typebox'
import type { Library } from '../../../chain/LiveChain.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { BytesView, HashView, typeName } from './scalars.ts'

const LibraryView = Type.Object(
  { '@type': typeName('smc.libraryEntry'), hash: HashView, data: BytesView },
  { $id: 'Library', description: 'A public library.' },
)

export const LibrariesView = Type.Object(
  { '@type': typeName('smc.libraryResult'), result: Type.Array(LibraryView) },
  { $id: 'Libraries' },
)

export const toLibrariesView = (libraries: readonly Library[]): Static<typeof LibrariesView> => ({
  '@type': 'smc.libraryResult',
  result: libraries.map(({ hash, library }) => ({
    '@type': 'smc.libraryEntry',
    hash: toBase64(hash),
    // As nodes hand them out: without a checksum.
    data: toBase64(encodeBoc([library])),
  })),
})
