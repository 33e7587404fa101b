import { type Static, Type } from 'typebox'
import { Cell } from '../../../codec/cell/Cell.ts'
import { Dict } from '../../../codec/cell/Dict.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { CellError } from '../../../codec/cell/errors.ts'
import {
  type ConfigDict,
  type ConfigParamId,
  configParams,
  findConfigParam,
} from '../../../codec/tlb/config/configParams.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { toHex } from '../../../primitives/hex.ts'
import { BytesView, typeName } from './scalars.ts'

/** A decoded value in JSON. */
type PlainValue = null | boolean | number | string | readonly PlainValue[] | { readonly [name: string]: PlainValue }

const ConfigValueView = Type.Unsafe<PlainValue>({
  description:
    'The decoded value; null if the layout is unknown. Large numbers are decimal text, bytes are hex, cells are bags of cells in base64, ' +
    'and a dictionary is a list of key and value.',
})

const ConfigParamView = Type.Object(
  {
    '@type': typeName('ext.configParam'),
    id: Type.Integer({ examples: [15] }),
    name: Type.Union([Type.String({ examples: ['election_times'] }), Type.Null()]),
    decoded: ConfigValueView,
    bytes: BytesView,
  },
  { $id: 'ConfigParam', description: 'One parameter, decoded.' },
)

export const ConfigParamsView = Type.Object(
  { '@type': typeName('ext.configParams'), params: Type.Array(ConfigParamView) },
  { $id: 'ConfigParams' },
)

const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const toPlain = (value: unknown): PlainValue => {
  if (value === undefined || value === null) return null
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value
  if (value instanceof Uint8Array) return toHex(value)
  if (value instanceof Cell) return toBase64(encodeBoc([value]))
  if (value instanceof Dict) {
    return (value as Dict<unknown, unknown>)
      .entries()
      .map(([key, each]) => ({ key: toPlain(key), value: toPlain(each) }))
  }
  if (Array.isArray(value)) return value.map(toPlain)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [toSnake(name), toPlain(each)]))
}

const isKnown = (id: number): id is ConfigParamId => id in configParams

/** A network may have changed a layout: such a parameter is shown as its cell alone. */
const decodeParam = (config: ConfigDict, id: number): PlainValue => {
  if (!isKnown(id)) return null
  try {
    return toPlain(findConfigParam(config, id))
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}

export const toConfigParamsView = (config: ConfigDict): Static<typeof ConfigParamsView> => ({
  '@type': 'ext.configParams',
  params: config
    .entries()
    // Dictionaries have negative numbers last.
    .sort(([a], [b]) => a - b)
    .map(([id, cell]) => ({
      '@type': 'ext.configParam',
      id,
      name: isKnown(id) ? toSnake(configParams[id].name) : null,
      decoded: decodeParam(config, id),
      bytes: toBase64(encodeBoc([cell])),
    })),
})
