import { type Endpoint, methodsOf } from '../../api/core/Endpoint.ts'
import type { Interface } from '../../api/core/Interface.ts'
import type { Param } from '../../api/core/params.ts'
import { dev } from '../../api/dev/index.ts'
import { v2 } from '../../api/v2/index.ts'
import { v3 } from '../../api/v3/index.ts'
import { suggest } from '../../config/suggest.ts'
import { UsageError } from '../errors.ts'

export type ApiName = 'v2' | 'v3' | 'dev'

/** An endpoint that can be called, and where it belongs. */
export type Callable = { readonly api: ApiName; readonly definition: Interface; readonly endpoint: Endpoint }

const interfaces: { readonly [Name in ApiName]: Interface } = {
  v2: v2 as Interface,
  v3: v3 as Interface,
  dev: dev as Interface,
}

/** Every endpoint, or those of one interface, in the order of their interfaces. */
export const listCallables = (api: ApiName | undefined): readonly Callable[] =>
  Object.entries(interfaces).flatMap(([name, definition]) =>
    api === undefined || api === name
      ? definition.endpoints.map((endpoint) => ({ api: name as ApiName, definition, endpoint }))
      : [],
  )

/** An endpoint by its name; where two interfaces have it, that of the first. */
export const getCallable = (word: string, api: ApiName | undefined): Callable => {
  const callables = listCallables(api)
  const found = callables.find(({ endpoint }) => endpoint.name === word)
  if (found !== undefined) return found
  const meant = suggest(
    word,
    callables.map(({ endpoint }) => endpoint.name),
  )
  const elsewhere = listCallables(undefined).find(({ endpoint }) => endpoint.name === word)
  const where = api === undefined ? '' : ` in ${api}`
  const advice =
    elsewhere !== undefined
      ? `It is in ${elsewhere.api}: leave --api out, or say --api ${elsewhere.api}.`
      : meant === undefined
        ? 'Run "chaincenter call" to see all of them.'
        : `Did you mean ${meant}?`
  throw new UsageError(`There is no method ${JSON.stringify(word.slice(0, 80))}${where}.`, advice)
}

/** How an endpoint is called, on one line. */
export const formatCall = ({ name, params }: Endpoint): string =>
  [name, ...Object.entries(params).map(formatParam)].join(' ')

const formatParam = ([name, { presence, fallback }]: [string, Param]): string => {
  if (presence === 'required') return `${name}=…`
  return `[${name}=${typeof fallback === 'string' || typeof fallback === 'number' ? fallback : '…'}]`
}

/** What is asked by GET where it can be. */
export const isAskedByGet = (endpoint: Endpoint): boolean => methodsOf(endpoint).includes('GET')
