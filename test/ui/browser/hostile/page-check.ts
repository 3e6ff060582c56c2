import type { Page } from 'playwright-core'

/** What our own pages are made of. */
const ELEMENTS =
  `html head meta title link script body noscript div span main nav header footer aside section article h1 h2 h3 h4 p
  ul ol li dl dt dd table caption thead tbody tr th td a button form fieldset legend label input textarea select option kbd code pre
  figure figcaption mark q ins del strong em time details summary dialog bdi hr br wbr output svg g path circle rect line text tspan title desc defs marker
  polygon polyline use`.split(/\s+/)

/** Attributes that run or load something. */
const ACTIVE = /^on|^(?:srcdoc|srcset|action|formaction|background|ping|data|poster)$/

/** Runs in the page: everything in it that only somebody else can have put there. */
function strangers({ elements, active, origin }: { elements: string[]; active: string; origin: string }) {
  // biome-ignore lint/suspicious/noExplicitAny: types of the browser are not those of the tests
  const { document } = globalThis as any
  const found: string[] = []
  const isActive = new RegExp(active)
  for (const element of document.querySelectorAll('*')) {
    const name = element.localName
    if (!elements.includes(name)) found.push(`<${name}>`)
    for (const { name: key, value } of element.attributes) {
      if (isActive.test(key)) found.push(`<${name} ${key}>`)
      const leads = key === 'href' || key === 'src' || key === 'xlink:href'
      const isOurs = value.startsWith('#') || new URL(value, origin).origin === origin
      const isMarked = name === 'a' && /^https?:/.test(value) && /noopener/.test(element.rel)
      if (leads && !isOurs && !isMarked) found.push(`<${name} ${key}="${value.slice(0, 80)}">`)
    }
    if (name === 'script' && !element.src.startsWith(`${origin}/ui/assets/`)) found.push('<script>')
  }
  const hidden = /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}]|[^\P{Cc}\n\t]/u
  const texts = document.createTreeWalker(document.documentElement, 4)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    if (hidden.test(node.data))
      found.push(`hidden in ${node.parentNode.localName}: ${JSON.stringify(node.data.slice(0, 80))}`)
  return [...new Set(found)].slice(0, 10)
}

/** What is in a page that we did not write: elements, attributes that act, characters that nobody sees. Empty is right. */
export const strangersIn = (page: Page): Promise<string[]> =>
  page.evaluate(strangers, { elements: ELEMENTS, active: ACTIVE.source, origin: new URL(page.url()).origin })
