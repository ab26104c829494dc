/** Own checks of a page after WCAG 2.2 AA: names, sizes of targets, headings, ids, reflow, contrast; returns problems. */
const problems = [];
const seen = (e) => { const b = e.getBoundingClientRect(); return b.width > 0 && b.height > 0 && e.checkVisibility(); };
const name = (e) => (e.getAttribute('aria-label') ?? '') + (e.labels?.length ? [...e.labels].map((l) => l.textContent).join(' ') : '')
  + (e.innerText ?? e.textContent ?? '') + (e.getAttribute('title') ?? '');
for (const e of document.querySelectorAll('button, input, select, a, [role=button], summary')) {
  if (seen(e) && !name(e).trim()) problems.push(`no name: ${e.outerHTML.slice(0, 90)}`);
  const b = e.getBoundingClientRect();
  if (seen(e) && !e.closest('svg') && e.type !== 'checkbox' && (b.height < 24 || b.width < 24)) problems.push(`small: ${e.outerHTML.slice(0, 90)}`);
}
for (const e of document.querySelectorAll('img')) if (!e.alt) problems.push(`no alt: ${e.outerHTML.slice(0, 90)}`);
if (!document.documentElement.lang) problems.push('no language');
if (document.querySelectorAll('h1').length !== 1) problems.push('not one heading');
if (document.documentElement.scrollWidth > innerWidth + 1) problems.push(`wider than the screen: ${document.documentElement.scrollWidth} > ${innerWidth}`);
const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
for (const id of new Set(ids)) if (ids.filter((i) => i === id).length > 1) problems.push(`id twice: ${id}`);
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const rgb = (text) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
const light = ([r, g, b]) => [r, g, b].map((c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }).reduce((s, c, i) => s + c * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255, 255]; };
for (const e of document.querySelectorAll('p, h1, h2, th, td, small, label, button, span, summary, a, pre, figcaption')) {
  const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  if (!own || !seen(e) || e.closest('[aria-disabled=true], :disabled, .unseen')) continue;
  const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) problems.push(`contrast ${ratio.toFixed(1)}: ${e.innerText.slice(0, 40)}`);
}
return problems;
