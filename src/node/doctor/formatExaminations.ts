import { nameLiteServer } from '../../primitives/LiteServerAddress.ts'
import { type Examination, verdictOn } from './Examination.ts'
import { formatVersion } from './judgeCondition.ts'

/** For a person: a block of lines for each server, and what it comes to. */
export const formatExaminations = (examinations: readonly Examination[], notes: readonly string[]): string =>
  [...examinations.map(formatExamination), [...notes, summarize(examinations)].join('\n')].join('\n\n')

const formatExamination = (examination: Examination): string =>
  [
    `${nameLiteServer(examination.address)}  ${verdictOn(examination)}`,
    ...formatFacts(examination).map((facts) => `  ${facts}`),
    ...examination.findings.flatMap(({ message, advice }) => [`  ${message}`, `    ${advice}`]),
  ].join('\n')

const formatFacts = ({ condition, archival, provenSeqno }: Examination): readonly string[] => {
  if (condition === undefined) return []
  const { head, lagSeconds, version } = condition
  const facts = [
    `block ${head.seqno}`,
    lagSeconds === undefined ? undefined : `${lagSeconds} s old`,
    provenSeqno === head.seqno ? 'proven' : undefined,
    archival ? 'archival' : undefined,
    version === undefined ? undefined : `version ${formatVersion(version.number)}`,
  ]
  return [facts.filter((fact) => fact !== undefined).join(', ')]
}

const summarize = (examinations: readonly Examination[]): string => {
  const count = examinations.length
  const usable = examinations.filter((examination) => verdictOn(examination) !== 'wrong').length
  if (count === 1) return usable === 1 ? 'The server can be used.' : 'The server cannot be used as it is.'
  const isCutOff = examinations.every(({ findings }) =>
    findings.some(({ code }) => code === 'unreachable' || code === 'unknown_host'),
  )
  const hint = isCutOff ? ' It may be the connection of this machine that is down.' : ''
  return `${usable} of ${count} servers can be used.${hint}`
}
