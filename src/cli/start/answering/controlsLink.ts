import type { Call } from '../../../api/core/Call.ts'
import { newTrace } from '../../../api/core/Call.ts'
import { callEndpoint } from '../../../api/core/callEndpoint.ts'
import type { Endpoint } from '../../../api/core/Endpoint.ts'
import type { Interface } from '../../../api/core/Interface.ts'
import { findMember, isJsonObject, type JsonObject } from '../../../api/core/json/parseJson.ts'
import { asJson, type Json } from '../../../api/core/json/stringifyJson.ts'
import { type Mount, type MountOptions, mount } from '../../../api/core/Mount.ts'
import type { RawArguments } from '../../../api/core/parseArguments.ts'
import { dev } from '../../../api/dev/index.ts'
import type { NetworkControls } from '../../../devnet/network/NetworkControls.ts'

/** A call of a control, for the process of the network. */
export type ControlCall = {
  readonly endpoint: string
  readonly args: RawArguments
  readonly requestId: string
  readonly remoteAddress: string
}

type Forward = (call: ControlCall) => Promise<string>

type ForwardContext = { readonly forward: Forward; readonly call: Call }

/** The interface of the controls in a process without the network: arguments are validated here, and the call is made there. */
export const mountForwardedControls = (
  forward: Forward,
  options: Pick<MountOptions, 'token' | 'allowedHosts'>,
): Mount => {
  const endpoints = dev.endpoints.map(
    (endpoint): Endpoint<ForwardContext> => ({
      ...(endpoint as Endpoint<unknown>),
      handle: async (context) => {
        const { requestId, remoteAddress } = context.call
        return asJson(
          await context.forward({ endpoint: endpoint.name, args: argumentsOf(context.call), requestId, remoteAddress }),
        )
      },
    }),
  )
  const definition: Interface<ForwardContext> = { ...dev, endpoints }
  return mount(definition, (call) => ({ forward, call }), options)
}

/** As they came: JSON-RPC has them in a member of the body. */
const argumentsOf = ({ transport, query, body }: Call): RawArguments => {
  const given = body !== undefined && isJsonObject(body) ? body : undefined
  if (transport !== 'rpc') return { query, body: given }
  const params = given && findMember(given, 'params')
  return { query: {}, body: params !== undefined && isJsonObject(params) ? params : ({} as JsonObject) }
}

/** Makes a forwarded call. Returns the JSON of its result. */
export const callControl = (
  controls: NetworkControls,
  { endpoint: name, args, requestId, remoteAddress }: ControlCall,
): Promise<Json> => {
  const endpoint = dev.endpoints.find((each) => each.name === name) as Endpoint | undefined
  if (endpoint === undefined) throw new TypeError(`The controls have no endpoint ${name}.`)
  const call: Call = {
    transport: 'post',
    endpoint: name,
    query: args.query,
    body: args.body,
    headers: {},
    remoteAddress,
    requestId,
    receivedAt: performance.now(),
    trace: newTrace(),
    signal: never,
  }
  return callEndpoint(
    mount(dev, () => controls),
    endpoint,
    call,
    args,
  )
}

/** A control that has begun is finished, as it is without another process. */
const never = new AbortController().signal
