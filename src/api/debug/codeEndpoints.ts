import { Type } from 'typebox'
import type { CodeListing } from '../../chain/recording.ts'
import { CodeNotFoundError } from '../../debug/errors.ts'
import { methodName } from '../../debug/methodNames.ts'
import { importSourceMap } from '../../debug/sources/importers.ts'
import type { SourceMap } from '../../debug/sources/SourceMap.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { HashParam, param, withDefault } from '../core/params.ts'
import { HashText } from '../v3/views/scalars.ts'
import { debugEndpoint } from './debugEndpoint.ts'

export const code = debugEndpoint({
  name: 'code',
  path: 'code/{hash}',
  methods: ['GET'],
  tags: ['code'],
  summary: 'Instructions of contract code by cell and offset, with its methods by name.',
  description: 'Code is found by its hash in the index, and among replays of the last ten minutes.',
  params: {
    hash: HashParam,
    format: withDefault(
      param(
        Type.Union([Type.Literal('json'), Type.Literal('fift'), Type.Literal('tasm')], {
          description: 'fift and tasm add the code as text, with operands before or behind the instruction.',
        }),
      ),
      'json',
    ),
  },
  result: Type.Unsafe<
    CodeListing & { readonly method_names: Readonly<Record<string, string>>; readonly text?: string }
  >(
    Type.Object(
      {
        code_hash: HashText,
        cells: Type.Array(Type.Object({}, { additionalProperties: true })),
        methods: Type.Array(Type.Object({ id: Type.Integer(), cell: HashText, offset: Type.Integer() })),
        method_names: Type.Record(Type.String(), Type.String()),
        truncated: Type.Boolean(),
        text: Type.Optional(Type.String({ description: 'The code as text, for people to read.' })),
      },
      { $id: 'CodeListing' },
    ),
  ),
  errors: ['code_not_found'],
  needsNode: true,
  async handle({ debugger: tool, index, listCode, writeCodeText, sources }, { hash, format }) {
    const found = tool.findKeptCode(hash) ?? (await index?.findCode(hash))
    if (found === undefined) throw new CodeNotFoundError(`Code ${toBase64(hash)} is not in the index.`)
    const listing = listCode(found)
    const own = (await sources.find(listing.code_hash))?.methods
    return {
      ...listing,
      method_names: Object.fromEntries(listing.methods.map(({ id }) => [String(id), methodName(id, own)])),
      ...(format !== 'json' && { text: writeCodeText(found, format, (id) => methodName(id, own)) }),
    }
  },
})

const SourceMapView = Type.Unsafe<SourceMap>(Type.Object({}, { additionalProperties: true, $id: 'SourceMap' }))

const path = 'sources/{code_hash}'

export const putSource = debugEndpoint({
  name: 'putSource',
  path,
  methods: ['PUT'],
  tags: ['code'],
  summary: 'Store the source map of a code, of any known form, in the data folder of the service.',
  params: {
    code_hash: HashParam,
    map: param(
      Type.Unsafe<object>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'Debug output of Tolk or FunC, a map of ton-source-map, an assembler mapping, or our own form.',
          },
        ),
      ),
    ),
  },
  result: Type.Object({ code_hash: HashText, files: Type.Integer(), places: Type.Integer() }),
  errors: ['source_map_invalid', 'source_maps_full', 'forbidden'],
  needsNode: true,
  async handle({ sources, call }, { code_hash: hash, map: given }) {
    const codeHash = toBase64(hash)
    const map = { ...importSourceMap(given, codeHash), code_hash: codeHash }
    await sources.put(map, call.trace.key)
    return { code_hash: codeHash, files: map.files.length, places: map.places.length }
  },
})

export const getSource = debugEndpoint({
  name: 'getSource',
  path,
  methods: ['GET'],
  tags: ['code'],
  summary: 'The stored source map of a code.',
  params: { code_hash: HashParam },
  result: SourceMapView,
  errors: ['source_map_not_found'],
  needsNode: true,
  handle: ({ sources }, { code_hash: hash }) => sources.get(toBase64(hash)),
})

export const deleteSource = debugEndpoint({
  name: 'deleteSource',
  path,
  methods: ['DELETE'],
  tags: ['code'],
  summary: 'Delete the stored source map of a code.',
  params: { code_hash: HashParam },
  result: Type.Object({ code_hash: HashText }),
  errors: ['source_map_not_found', 'forbidden'],
  needsNode: true,
  async handle({ sources, call }, { code_hash: hash }) {
    const codeHash = toBase64(hash)
    await sources.delete(codeHash, call.trace.key)
    return { code_hash: codeHash }
  },
})
