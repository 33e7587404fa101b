import type { Cell } from '../../src/codec/cell/Cell.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import type { ValueCodec } from '../../src/codec/cell/dictTypes.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { type ConfigParamId, type ConfigParamValue, configParams } from '../../src/codec/tlb/config/configParams.ts'
import { CodedError } from '../../src/primitives/errors.ts'

/** A parameter that could be read; `id` or `name` tells the type of its value. */
export type KnownConfigParam = {
  [Id in ConfigParamId]: {
    readonly kind: 'known'
    readonly id: Id
    readonly name: (typeof configParams)[Id]['name']
    readonly value: ConfigParamValue<Id>
  }
}[ConfigParamId]

/** A parameter of an unknown number (`error` is absent), or one that does not read as its number says. */
export type RawConfigParam = {
  readonly kind: 'raw'
  readonly id: number
  readonly cell: Cell
  readonly error: CodedError | undefined
}

/** Whether the layout of this parameter is known. */
const isConfigParamId = (id: number): id is ConfigParamId => Object.hasOwn(configParams, id)

/** Reads a parameter whole, its dictionaries too. It never throws over what the cell holds: see {@link RawConfigParam}. */
export const decodeConfigParam = (id: number, cell: Cell): KnownConfigParam | RawConfigParam => {
  if (!isConfigParamId(id)) return { kind: 'raw', id, cell, error: undefined }
  const codec = configParams[id] as ValueCodec<unknown>
  try {
    const value = readWhole(cell, codec.read, `Configuration parameter ${id}`)
    walkDicts(value)
    return { kind: 'known', id, name: configParams[id].name, value } as KnownConfigParam
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return { kind: 'raw', id, cell, error }
  }
}

/** Reads the dictionaries in a value, which reading the value leaves unread. */
const walkDicts = (value: unknown): void => {
  if (value instanceof Dict) value.forEach(() => {})
  else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
    Object.values(value).forEach(walkDicts)
}
