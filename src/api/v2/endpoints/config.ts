import { type Static, Type } from 'typebox'
import type { Library } from '../../../chain/LiveChain.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { parseHash } from '../../../primitives/hash.ts'
import { list, optional, param, withDefault } from '../../core/params.ts'
import { outOfRange } from '../errors.ts'
import { CountParam, SeqnoParam } from '../params.ts'
import { configRoot, getMasterchainBlock, lifetimeAt } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { ConfigParamsView, toConfigParamsView } from '../views/config.ts'
import { BytesView, CellView, HashView, toCellView, typeName } from '../views/scalars.ts'

const ConfigInfoView = Type.Object(
  { '@type': typeName('configInfo'), config: CellView },
  { $id: 'ConfigInfo', description: 'Part of the configuration.' },
)

const toConfigInfoView = (config: Cell | undefined): Static<typeof ConfigInfoView> => ({
  '@type': 'configInfo',
  config: toCellView(config),
})

export const getConfigParam = v2Endpoint({
  name: 'getConfigParam',
  tags: ['configuration'],
  summary: 'One configuration parameter; an empty cell if the network does not have it.',
  description: 'Pass the parameter id as `param` or `config_id`.',
  params: { param: optional(CountParam), config_id: optional(CountParam), seqno: optional(SeqnoParam) },
  result: ConfigInfoView,
  errors: [],
  lifetime: lifetimeAt,
  check: ({ param, config_id }) => {
    if ((param === undefined) === (config_id === undefined)) {
      throw outOfRange('only one of config_id or param should be specified')
    }
  },
  async handle({ node }, { param, config_id, seqno }) {
    const id = (param ?? config_id)!
    const config = await node.getConfig([id], await getMasterchainBlock(node, seqno))
    return toConfigInfoView(config.find(id))
  },
})

export const getConfigAll = v2Endpoint({
  name: 'getConfigAll',
  tags: ['configuration'],
  summary: 'All configuration parameters: root of the dictionary.',
  params: { seqno: optional(SeqnoParam) },
  result: ConfigInfoView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { seqno }) {
    const config = await node.getConfig(undefined, await getMasterchainBlock(node, seqno))
    return toConfigInfoView(configRoot(config))
  },
})

export const getConfigParams = v2Endpoint({
  name: 'getConfigParams',
  tags: ['configuration'],
  summary: 'All configuration parameters, decoded: by number, with names and values.',
  description: 'An addition of this service. A parameter of unknown layout has its cell only.',
  params: { seqno: optional(SeqnoParam) },
  result: ConfigParamsView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { seqno }) {
    return toConfigParamsView(await node.getConfig(undefined, await getMasterchainBlock(node, seqno)))
  },
})

const LibraryView = Type.Object(
  { '@type': typeName('smc.libraryEntry'), hash: HashView, data: BytesView },
  { $id: 'Library', description: 'Public library.' },
)

const LibrariesView = Type.Object(
  { '@type': typeName('smc.libraryResult'), result: Type.Array(LibraryView) },
  { $id: 'Libraries' },
)

const toLibrariesView = (libraries: readonly Library[]): Static<typeof LibrariesView> => ({
  '@type': 'smc.libraryResult',
  result: libraries.map(({ hash, library }) => ({
    '@type': 'smc.libraryEntry',
    hash: toBase64(hash),
    // Without a checksum, as nodes return it.
    data: toBase64(encodeBoc([library])),
  })),
})

const LibraryHashParam = param(
  Type.String({
    description: '32-byte hash: 64 hex digits, or base64.',
    examples: ['P3lF+eqlE3QWGOMzsrHulBRN8rPSDu+lr9OLyDD/2Ic='],
  }),
  (text) => parseHash(text.replaceAll(' ', '+')),
)

export const getLibraries = v2Endpoint({
  name: 'getLibraries',
  tags: ['configuration'],
  summary: 'Public libraries by hash, at most 16; unknown ones are omitted.',
  params: { libraries: withDefault(list(LibraryHashParam, { maxItems: 16 }), []) },
  result: LibrariesView,
  errors: [],
  lifetime: () => 'head',
  async handle({ node }, { libraries }) {
    const found = libraries.length === 0 ? [] : await node.getPublicLibraries(libraries, await node.getHead())
    return toLibrariesView(found)
  },
})
