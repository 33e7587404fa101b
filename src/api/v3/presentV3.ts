import type { Call } from '../core/Call.ts'
import type { Dialect } from '../core/Dialect.ts'
import type { Description, Interface } from '../core/Interface.ts'
import { v3 } from './index.ts'
import type { V3Parts } from './V3Context.ts'

export type V3Presentation = {
  readonly prefix: `/${string}`
  readonly dialect: Dialect
  /** How many migrations the tables have been through: the last number of the version. */
  readonly schemaNumber: number
  /** The newest block in the index that a call was answered from. */
  readonly findHead: (call: Call) => IndexedHead | undefined
}

export type IndexedHead = { readonly seqno: number; readonly utime: number }

/** The interface as it is served at one place. Inside it everything is written in the neutral dialect. */
export const presentV3 = ({ prefix, dialect, schemaNumber, findHead }: V3Presentation): Interface<V3Parts> => {
  const version = `1.2.${schemaNumber}`
  const headers = (call: Call): { readonly [name: string]: string } => {
    const head = findHead(call)
    const timing = `app;dur=${(performance.now() - call.receivedAt).toFixed(3)}`
    if (head === undefined) return { 'x-api-version': version, 'server-timing': timing }
    return {
      'x-api-version': version,
      'server-timing': timing,
      'x-indexed-seqno': String(head.seqno),
      'x-indexed-lag-ms': String(Math.max(0, Math.round(Date.now() - 1000 * head.utime))),
    }
  }
  const definition = { ...v3, prefix, version, headers }
  return dialect === 'chain' ? definition : { ...definition, respell: toEcosystem, redescribe }
}

/** Opcodes of messages are text in the other dialect. */
const redescribe = (document: Description): Description => {
  const components = document['components'] as { readonly schemas: { readonly [name: string]: MessageSchema } }
  const { Message, ...schemas } = components.schemas
  if (Message === undefined) throw new Error('The description has no schema of a message.')
  const opcode = { anyOf: [{ type: 'string', pattern: '^0x[0-9a-f]{8}$', description: OPCODE }, { type: 'null' }] }
  const message = { ...Message, properties: { ...Message.properties, opcode } }
  return { ...document, components: { ...components, schemas: { ...schemas, Message: message } } }
}

type MessageSchema = { readonly properties: { readonly [name: string]: unknown } }

const OPCODE = 'The first 32 bits of the body, hexadecimal.'

// Within the JSON of a text every quote comes after a backslash, so this matches members only. In a message the two are neighbours.
const neutralOpcode = /(?<!\\)"opcode":(-?[0-9]+),"decoded_opcode":/g

const toEcosystem = (json: string): string =>
  json.replace(neutralOpcode, (_whole, opcode: string) => {
    const hex = (Number(opcode) >>> 0).toString(16).padStart(8, '0')
    return `"opcode":"0x${hex}","decoded_opcode":`
  })
