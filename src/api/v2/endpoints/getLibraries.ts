import { Type } from 'typebox'
import { parseHash } from '../../../primitives/hash.ts'
import { list, param, withDefault } from '../../core/Param.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { LibrariesView, toLibrariesView } from '../views/LibrariesView.ts'

const LibraryHashParam = param(
  Type.String({
    description: 'A hash of 32 bytes: 64 hexadecimal digits, or base64.',
    examples: ['P3lF+eqlE3QWGOMzsrHulBRN8rPSDu+lr9OLyDD/2Ic='],
  }),
  (text) => parseHash(text.replaceAll(' ', '+')),
)

export const getLibraries = v2Endpoint({
  name: 'getLibraries',
  tags: ['configuration'],
  summary: 'Public libraries by hash, at most 16; those that are not public are left out.',
  params: { libraries: withDefault(list(LibraryHashParam, { maxItems: 16 }), []) },
  result: LibrariesView,
  errors: [],
  lifetime: () => 'head',
  async handle({ node }, { libraries }) {
    const found = libraries.length === 0 ? [] : await node.getPublicLibraries(libraries, await node.getHead())
    return toLibrariesView(found)
  },
})
