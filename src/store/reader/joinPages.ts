import type { CompiledQuery, RawBuilder } from 'kysely'
import { joinReads, type ReadKeyed } from '../connect/joinReads.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { keyText } from './keyText.ts'
import { MAX_SHORT_PAGE, pagesByLength } from './pagesByLength.ts'
import { rawQuery } from './rawQuery.ts'

/** A row, and the place among the keys, from 1 on, of the one that it is of. */
type Placed<Row> = Row & { readonly place: number }

/**
 * Makes a query for many keys of one that is for a single key, wherever that stands in it: the rows of each are what it would find for
 * that key alone. It is put together once, and not each time that it is asked.
 */
export const manyKeysQuery = <Row>(
  build: (key: Uint8Array) => RawBuilder<Row>,
): ((keys: readonly Uint8Array[]) => CompiledQuery<Placed<Row>>) => {
  const mark = new Uint8Array(0)
  const { sql: text, parameters } = build(mark).compile(queryBuilder)
  const others = parameters.flatMap((value, at) => (value === mark ? [] : [at]))
  const inner = text.replace(/\$([0-9]+)/g, (_whole, number: string) => {
    const at = Number(number) - 1
    return parameters[at] === mark ? 'asked.key' : `$${others.indexOf(at) + 2}`
  })
  const whole = `select asked.place::integer as place, found.* from unnest($1::bytea[]) with ordinality as asked(key, place)
    cross join lateral (${inner}) as found`
  const values = others.map((at) => parameters[at])
  return (keys) => rawQuery(whole, [keys, ...values])
}

/** Asks such a query together with what others ask. */
const joinByKey = <Row>(build: (key: Uint8Array) => RawBuilder<Row>): ReadKeyed<Uint8Array, Row> =>
  joinReads<Uint8Array, Placed<Row>>({
    queryOf: manyKeysQuery(build),
    textOf: keyText,
    textOfRow: ({ place }, keys) => keyText(keys[place - 1]!),
  })

/** As {@link joinByKey}, for each direction and length of a page; `undefined` where it is too long. */
export const joinPages = <Row>(
  build: (key: Uint8Array, direction: 'asc' | 'desc', limit: number) => RawBuilder<Row>,
): ((direction: 'asc' | 'desc', limit: number) => ReadKeyed<Uint8Array, Row> | undefined) => {
  const pages = pagesByLength((direction, limit) => joinByKey((key) => build(key, direction, limit)))
  return (direction, limit) => (limit > MAX_SHORT_PAGE ? undefined : pages(direction, limit))
}
