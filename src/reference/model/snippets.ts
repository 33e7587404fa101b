import type { Request } from './Request.ts'

/** The request in Python, with its standard library alone. The key itself is never in it. */
export const toPython = ({ method, path, headers, body }: Request, origin: string, hasKey: boolean): string => {
  const entries = Object.entries(headers).map(([name, value]) => `${literal(name)}: ${literal(value)}`)
  const all = [...entries, ...(hasKey ? ["'X-API-Key': os.environ['API_KEY']"] : [])]
  const options = [
    ...(method === 'POST' ? [`data=${literal(body ?? '{}')}.encode()`] : []),
    ...(all.length > 0 ? [`headers={${all.join(', ')}}`] : []),
  ]
  return [
    'import json',
    ...(hasKey ? ['import os'] : []),
    'from urllib.request import Request, urlopen',
    '',
    `request = Request(${[literal(`${origin}${path}`), ...options].join(', ')})`,
    'with urlopen(request) as response:',
    '    print(json.load(response))',
  ].join('\n')
}

/** JSON texts are literals of Python and of Go. */
const literal = (text: string): string => JSON.stringify(text)

/** The request as a program in Go. */
export const toGo = ({ method, path, headers, body }: Request, origin: string, hasKey: boolean): string => {
  const given = method === 'POST' ? `strings.NewReader(${literal(body ?? '{}')})` : 'nil'
  const packages = ['fmt', 'io', 'net/http', ...(hasKey ? ['os'] : []), ...(method === 'POST' ? ['strings'] : [])]
  return [
    'package main',
    '',
    'import (',
    ...packages.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    `\trequest, _ := http.NewRequest("${method}", ${literal(`${origin}${path}`)}, ${given})`,
    ...Object.entries(headers).map(([name, value]) => `\trequest.Header.Set(${literal(name)}, ${literal(value)})`),
    ...(hasKey ? ['\trequest.Header.Set("X-API-Key", os.Getenv("API_KEY"))'] : []),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\tbody, _ := io.ReadAll(response.Body)',
    '\tfmt.Println(string(body))',
    '}',
  ].join('\n')
}
