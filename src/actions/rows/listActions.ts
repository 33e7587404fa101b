import { toBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { sha256 } from '../../primitives/hash.ts'
import { callContract, contractDeploy } from '../patterns/core.ts'
import type { TraceInput } from '../trace/TraceInput.ts'
import { type Block, walkBlocks } from '../tree/Block.ts'
import type { Action, ActionFacts, Shown } from './Action.ts'

/** Two actions of a trace would have the same id. */
class DuplicateActionError extends CodedError {
  readonly code = 'duplicate_action'
  constructor() {
    super('Two actions of one trace have the same id.')
  }
}

/** The actions of a trace, from the tree of its blocks. */
export const listActions = (root: Block): Action[] => {
  const actions: Action[] = []
  const deployments: Block[] = []
  for (const block of walkBlocks(root)) {
    collectDeployments(block, deployments)
    emit(block, undefined, actions)
  }
  for (const deploy of deployments) emitOne(deploy, undefined, actions)
  const ids = new Set(actions.map(({ actionId }) => actionId))
  if (ids.size !== actions.length) throw new DuplicateActionError()
  return actions
}

const collectDeployments = (block: Block, found: Block[]): void => {
  for (const child of block.children) {
    if (child.is(contractDeploy)) found.push(child)
    collectDeployments(child, found)
  }
}

/** External-in and external-out messages are not contract calls. */
const isTold = (block: Block): boolean =>
  !block.is(callContract) || (block.data.source !== undefined && block.data.destination !== undefined)

const emit = (block: Block, parent: Action | undefined, actions: Action[]): void => {
  if (!isTold(block)) return
  const action = emitOne(block, parent, actions)
  if (action === undefined || block.kind.isClosed === true) return
  for (const child of block.children) {
    if (child.nodes.length === 0 || child.is(contractDeploy) || idOf(child) === action.actionId) continue
    emit(child, { ...action, ancestorTypes: [...action.ancestorTypes, block.kind.name] }, actions)
  }
}

const emitOne = (block: Block, parent: Action | undefined, actions: Action[]): Action | undefined => {
  const facts = block.kind.describe(block)
  if (facts === undefined) return undefined
  const action = toAction(block, facts, parent)
  actions.push(action)
  return action
}

const toAction = (block: Block, facts: ActionFacts, parent: Action | undefined): Action => {
  const { kind, failed, startLt, endLt, startUtime, endUtime } = block
  const type = kind.type ?? kind.name
  return {
    actionId: idOf(block),
    parentActionId: parent?.actionId,
    ancestorTypes: [...new Set(parent?.ancestorTypes ?? [])],
    type,
    shownType: facts.movesExtraCurrencies === true ? 'extra_currency_transfer' : undefined,
    startLt,
    endLt,
    startUtime,
    endUtime,
    transactions: transactionsOf(block),
    accounts: accountsOf(block, facts),
    success: !failed,
    details: facts.hasNoShape === true ? noShape(type) : dropAbsent(facts.details),
    rawAction: facts.hasNoShape === true ? rawOf(type, block, facts) : undefined,
  }
}

const noShape = (type: string): Action['details'] => ({ error: `unsupported action type: '${type}'` })

const rawOf = (type: string, { failed }: Block, facts: ActionFacts): Action['details'] =>
  dropAbsent({
    type,
    success: !failed,
    source: facts.source,
    source_secondary: facts.sourceSecondary,
    destination: facts.destination,
    destination_secondary: facts.destinationSecondary,
    ...facts.details,
  })

const dropAbsent = (details: ActionFacts['details']): Action['details'] =>
  Object.fromEntries(Object.entries(details).filter((entry): entry is [string, Shown] => entry[1] !== undefined))

/** An id is made of the message that came first and of what the block is. */
const idOf = ({ nodes, kind }: Block): string => {
  let first = nodes[0]!
  for (const node of nodes) if (node.lt < first.lt) first = node
  const hash = first.message?.hash ?? first.transaction.hash
  return toBase64(sha256(new TextEncoder().encode(hash + kind.name)))
}

const transactionsOf = ({ nodes, initiating }: Block): string[] => {
  const hashes = new Set(nodes.filter(({ isGhost }) => !isGhost).map(({ transaction }) => transaction.hash))
  if (initiating !== undefined) hashes.add(initiating.transaction.hash)
  return [...hashes]
}

const accountsOf = ({ nodes, initiating }: Block, facts: ActionFacts): string[] => {
  const isGhost = nodes.some((node) => node.isGhost)
  const accounts = new Set<string | undefined>(nodes.map(({ transaction }) => transaction.account))
  accounts.add(facts.source).add(facts.sourceSecondary)
  if (!isGhost) accounts.add(facts.destination).add(facts.destinationSecondary)
  accounts.add(initiating?.transaction.account)
  for (const account of facts.moreAccounts ?? []) accounts.add(account)
  return [...accounts].filter((account) => account !== undefined)
}

/** The action of a trace in which no pattern matched. */
export const unknownAction = ({ traceId, transactions }: TraceInput): Action => {
  const success = transactions.every(({ aborted }) => !aborted)
  return {
    actionId: traceId,
    parentActionId: undefined,
    ancestorTypes: [],
    type: 'unknown',
    shownType: undefined,
    startLt: transactions[0]!.lt,
    endLt: transactions.at(-1)!.lt,
    startUtime: transactions[0]!.now,
    endUtime: transactions.at(-1)!.now,
    transactions: transactions.map(({ hash }) => hash),
    accounts: [...new Set(transactions.map(({ account }) => account))],
    success,
    details: { error: "unsupported action type: 'unknown'" },
    rawAction: { type: 'unknown', success },
  }
}
