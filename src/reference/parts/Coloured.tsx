/** Texts, numbers, words of the language, comments; a text before a colon is a name. */
const tokens =
  /(?<name>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<comment>\/\/ .*)|(?<word>\b(?:import|from|const|await|package|func|defer|if|with|as|nil|null|true|false|curl)\b)|(?<number>\b-?\d+(?:\.\d+)?\b)/g

/** Code or JSON in colours. */
export const Coloured = ({ text }: { readonly text: string }) => {
  const parts = []
  let at = 0
  for (const match of text.matchAll(tokens)) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0]
    parts.push(text.slice(at, match.index), <span class={`code-${kind}`}>{match[0]}</span>)
    at = match.index + match[0].length
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  )
}
