import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { encodingOf } from '../v2/compareShapes.ts'

/**
 * What occurs at which places of many answers: for every path the encodings of its values. Things that have a name, as transactions
 * do, are the same thing wherever they stand. Those of several kinds, as messages and actions are, have a path for each kind, so that
 * what only some have is not mixed up with what is missing.
 */
export class ShapeInventory {
  readonly #encodings = new Map<string, Set<string>>()

  add(value: JsonValue, path: string): void {
    this.#note(path, isFree(path) && typeof value === 'string' ? 'text' : shapeOf(value))
    if (Array.isArray(value)) {
      for (const item of value) this.add(item, `${path}[]`)
      return
    }
    if (!isJsonObject(value) || isOpen(path)) return
    if (isMap(path)) {
      for (const member of Object.values(value)) this.add(member, `${path}[*]`)
      return
    }
    const place = `${nameOf(value) ?? path}${kindOf(value)}`
    if (place !== path) this.#note(place, 'object')
    for (const [name, member] of Object.entries(value)) {
      const inner =
        name === 'details' && 'action_id' in value ? `${place}.details{${value['type']}}` : `${place}.${name}`
      this.add(member, inner)
    }
  }

  /**
   * Where another inventory, that of recorded answers, has other members or other encodings. Of a kind of thing that only one of them
   * has, nothing is said.
   */
  compareWith(recorded: ShapeInventory): { readonly compared: number; readonly lines: string[] } {
    const lines: string[] = []
    let compared = 0
    for (const [path, encodings] of this.#encodings) {
      const wanted = recorded.#encodings.get(path)
      if (wanted !== undefined) {
        compared++
        const strange = [...encodings].filter((each) => !fits(each, wanted))
        if (strange.length > 0) lines.push(`${path}: recorded ${list(wanted)}, ours ${list(strange)}`)
      } else if (recorded.#hasHolderOf(path)) lines.push(`${path}: not recorded, ours ${list(encodings)}`)
    }
    for (const [path, wanted] of recorded.#encodings) {
      if (!this.#encodings.has(path) && this.#hasHolderOf(path))
        lines.push(`${path}: recorded ${list(wanted)}, ours none`)
    }
    return { compared, lines }
  }

  #note(path: string, encoding: string): void {
    const known = this.#encodings.get(path)
    if (known === undefined) this.#encodings.set(path, new Set([encoding]))
    else known.add(encoding)
  }

  /** Whether there is the object that would have this member. Items of lists and values of maps depend on the data. */
  #hasHolderOf(path: string): boolean {
    const [, holder, member] = /^(.*)\.([^.[\]{}]+)(?:\{.*\})?$/.exec(path) ?? []
    if (holder === undefined || member === undefined || /[\]}]$/.test(path)) return false
    return this.#encodings.get(holder)?.has('object') === true
  }
}

/** An address without letters is in capitals as much as not. */
const shapeOf = (value: JsonValue): string =>
  typeof value === 'string' && /^-?[0-9]+:[0-9]{64}$/.test(value) ? 'raw address, upper case' : encodingOf(value)

const list = (encodings: Iterable<string>): string => [...encodings].sort().join(' or ')

/** Nobody can tell empty text from any other. */
const fits = (encoding: string, wanted: ReadonlySet<string>): boolean =>
  wanted.has(encoding) ||
  (encoding === 'empty text' && [...wanted].some((each) => /text|base64|word/.test(each))) ||
  (encoding.startsWith('friendly address') && [...wanted].some((each) => each.startsWith('friendly address'))) ||
  (encoding === 'base64' && wanted.has('bag of cells as base64'))

/** Objects by the addresses, hashes or currencies that are in them. */
const isMap = (path: string): boolean =>
  /\.(address_book|metadata|(\w+_)?extra_currencies)$|\.traces\[\]\.transactions$/.test(path)

/** Objects with whatever members somebody gave them. */
const isOpen = (path: string): boolean => /\.(extra|content|jetton_content|collection_content)$/.test(path)

/** What a person wrote, or a contract. */
const isFree = (path: string): boolean =>
  /\.(name|description|symbol|image|comment|domain|nft_index|query_id)$|\.(decoded|decoded_\w+)\b|\.interfaces\[\]$/.test(
    path,
  )

/** Objects that stand in many places are known by their members. */
const namedBy: readonly (readonly [name: string, member: string])[] = [
  ['Message', 'message_content'],
  ['Transaction', 'in_msg'],
  ['Action', 'action_id'],
  ['AddressBookRow', 'user_friendly'],
  ['AddressMetadata', 'token_info'],
  ['AccountState', 'account_status'],
  ['TraceNode', 'children'],
  ['BlockId', 'workchain'],
]

const nameOf = (value: JsonObject): string | undefined => {
  if ('root_hash' in value) return 'Block'
  return namedBy.find(([, member]) => member in value)?.[0]
}

const kindOf = (value: JsonObject): string => {
  if ('message_content' in value) {
    const { source, destination } = value
    return source === null ? '{from outside}' : destination === null ? '{to outside}' : '{internal}'
  }
  if (typeof value['@type'] === 'string') return `{${value['@type']}}`
  const { type, skipped } = value
  if (typeof skipped === 'boolean') return skipped ? '{skipped}' : '{computed}'
  // Of actions the details have a path of their own.
  return typeof type === 'string' && !('action_id' in value) ? `{${type}}` : ''
}
