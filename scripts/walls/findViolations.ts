import { findCycles } from './findCycles.ts'
import { clonePackages, innerLayers, type Layer, layers, pureFolders, pureModules } from './rules.ts'
import { isTestFile, readSources, type Target } from './SourceFile.ts'

/** Everything in `root/src` that breaks the walls, a sentence each, naming file, line and rule. */
export const findViolations = (root: string, packages: readonly string[]): string[] => {
  const sources = readSources(root)
  const imports = sources.flatMap(({ path, targets }) =>
    targets.flatMap((target) => {
      const problem = findProblem(path, target, packages)
      return problem === undefined ? [] : [`${path}:${target.line} imports ${target.to}: ${problem}`]
    }),
  )
  const strays = sources
    .filter(({ path }) => findLayer(path) === undefined || (hasInnerLayers(path) && findInnerLayer(path) === undefined))
    .map(({ path }) => `${path} is in no folder of the table in scripts/walls/rules.ts`)
  const cycles = findCycles(sources).map((cycle) => `import cycle: ${cycle.join(' -> ')}`)
  return [...strays, ...imports, ...cycles]
}

const findProblem = (from: string, target: Target, packages: readonly string[]): string | undefined => {
  const layer = findLayer(from)
  if (layer === undefined) return undefined
  if (target.kind === 'file') return findFileProblem(layer, target) ?? findInnerProblem(from, target)
  if (pureFolders.includes(layer.folder) && !pureModules.includes(target.to)) {
    return `${layer.folder} only computes, and outside our code it may import ${pureModules.join(', ')} only`
  }
  if (target.kind === 'package' && !target.typeOnly && !packages.includes(target.to) && !isOfClone(from, target.to)) {
    return 'it is not among the dependencies in package.json, so an installed package would not have it'
  }
  return undefined
}

const isOfClone = (from: string, name: string): boolean =>
  clonePackages.some(({ within, packages }) => from.startsWith(within) && packages.includes(name))

const findFileProblem = (layer: Layer, { to, typeOnly }: Target): string | undefined => {
  if (!to.startsWith('src/')) return 'sources import nothing outside src'
  if (isTestFile(to)) return 'sources never import test or bench files'
  const target = findLayer(to)
  if (target === undefined || target.folder === layer.folder || layer.imports === 'everything') return undefined
  if (layer.imports.includes(target.folder) || (typeOnly && layer.types.includes(target.folder))) return undefined
  return `${layer.folder} may import ${describeRights(layer)}, not ${target.folder}`
}

/** Between two folders inside one folder of the table. */
const findInnerProblem = (from: string, { to, typeOnly }: Target): string | undefined => {
  const [layer, target] = [findInnerLayer(from), findInnerLayer(to)]
  if (layer === undefined || target === undefined || target.folder === layer.folder) return undefined
  if (outerOf(layer) !== outerOf(target) || layer.imports === 'everything') return undefined
  if (layer.imports.includes(target.folder) || (typeOnly && layer.types.includes(target.folder))) return undefined
  return `${layer.folder} may import ${describeRights(layer)}, not ${target.folder}`
}

const describeRights = ({ imports, types }: Layer): string => {
  const parts = [
    ...(imports.length > 0 ? [[imports].flat().join(', ')] : []),
    ...(types.length > 0 ? [`types of ${types.join(', ')}`] : []),
  ]
  return parts.length > 0 ? parts.join(' and ') : 'nothing of ours'
}

const findLayer = (path: string): Layer | undefined => layers.find(({ folder }) => path.startsWith(`src/${folder}/`))

const findInnerLayer = (path: string): Layer | undefined =>
  innerLayers.find(({ folder }) => path === `src/${folder}` || path.startsWith(`src/${folder}/`))

const outerOf = ({ folder }: Layer): string => folder.slice(0, folder.lastIndexOf('/'))

/** Whether a file is in a folder that has inner layers. */
const hasInnerLayers = (path: string): boolean => innerLayers.some((layer) => path.startsWith(`src/${outerOf(layer)}/`))
