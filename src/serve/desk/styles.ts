/** How the desk looks: calm, in light and dark, from 320 pixels on. */
export const styles = `
:root{color-scheme:light dark;
--ground:light-dark(#f5f6f8,#111317);--card:light-dark(#fff,#1a1d23);--line:light-dark(#e1e4ea,#2c3039);
--text:light-dark(#1a1d24,#eceef2);--soft:light-dark(#5b6270,#a2a9b6);--accent:light-dark(#3b4fd8,#9aa8ff);--on-accent:light-dark(#fff,#12141c);
--good:light-dark(#0b6b45,#6fd6a5);--good-bg:light-dark(#e4f5ec,#14301f);--warn:light-dark(#8a4b00,#f3bd6b);--warn-bg:light-dark(#fdf0dc,#36270f);
--bad:light-dark(#a8202c,#ff9aa2);--bad-bg:light-dark(#fde8e9,#3b171b);--info:light-dark(#2b47a8,#a9baff);--info-bg:light-dark(#e8ecfd,#1d2547);
--calm-bg:light-dark(#eceef2,#272b33)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
h1{font-size:1.5rem;line-height:1.25;margin:0;letter-spacing:-.01em}h2{font-size:1.0625rem;margin:0 0 12px}p{margin:0 0 8px}
.skip{position:absolute;left:-999px}.skip:focus{left:12px;top:12px;background:var(--card);padding:8px 12px;z-index:1}
.bar{background:var(--card);border-bottom:1px solid var(--line)}
.bar>div{max-width:64rem;margin:0 auto;padding:12px 20px;display:flex;flex-wrap:wrap;align-items:center;gap:4px 20px}
.bar b{font-weight:650;margin-right:auto}.bar nav{display:flex;gap:4px}
.bar nav a{color:var(--soft);text-decoration:none;padding:6px 10px;border-radius:8px}
.bar nav a:hover{color:var(--text);background:var(--calm-bg)}.bar nav a[aria-current]{color:var(--text);font-weight:600;background:var(--calm-bg)}
main{max-width:64rem;margin:0 auto;padding:28px 20px 56px;display:grid;gap:24px;grid-template-columns:minmax(0,1fr)}
.card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:20px;min-width:0}
.card>.head{margin-bottom:12px}.head h2{margin:0}
.soft{color:var(--soft)}.small{font-size:.875rem}.num{font-variant-numeric:tabular-nums}
.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
.test{margin:0;background:var(--warn-bg);color:var(--warn);text-align:center;padding:6px 20px;font-size:.875rem}
.said{border-radius:10px;padding:12px 16px;background:var(--good-bg);color:var(--good)}.said[data-tone=bad]{background:var(--bad-bg);color:var(--bad)}
.said p:last-child,.card p:last-child{margin-bottom:0}
.badge{display:inline-block;border-radius:999px;padding:2px 10px;font-size:.8125rem;font-weight:600;background:var(--calm-bg);color:var(--soft)}
.badge[data-tone=good]{background:var(--good-bg);color:var(--good)}.badge[data-tone=warn]{background:var(--warn-bg);color:var(--warn)}
.badge[data-tone=bad]{background:var(--bad-bg);color:var(--bad)}.badge[data-tone=info]{background:var(--info-bg);color:var(--info)}
.filter{display:grid;grid-template-columns:minmax(12rem,2fr) minmax(9rem,1.2fr) repeat(2,minmax(8.5rem,1fr)) auto;gap:12px;align-items:end}
label{display:grid;gap:4px;font-size:.875rem;color:var(--soft);min-width:0}
input,select{font:inherit;font-size:1rem;width:100%;min-width:0;height:44px;padding:8px 12px;border:1px solid light-dark(#8b92a0,#6b7280);border-radius:10px;background:var(--ground);color:var(--text)}
button,.button{font:inherit;font-weight:600;min-height:44px;padding:8px 18px;border:1px solid transparent;border-radius:10px;background:var(--accent);color:var(--on-accent);cursor:pointer;text-decoration:none;display:inline-flex;align-items:center;justify-content:center}
button:hover{filter:brightness(1.08)}
.quiet{background:none;border-color:light-dark(#8b92a0,#6b7280);color:var(--text);font-weight:500}
.plain{background:none;border:0;color:var(--soft);font-weight:400;min-height:0;padding:6px 10px}.plain:hover{color:var(--text)}
.head{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:8px 16px}
.list{padding:0;overflow:hidden}.list>h2{padding:18px 20px 0}
table{width:100%;border-collapse:collapse}
th{font-size:.8125rem;font-weight:500;color:var(--soft);text-align:left;padding:10px 12px;border-bottom:1px solid var(--line)}
td{padding:12px;border-bottom:1px solid var(--line);vertical-align:top}tr:last-child td{border-bottom:0}
th:first-child,td:first-child{padding-left:20px}th:last-child,td:last-child{padding-right:20px}
td.num,td time,td .badge{white-space:nowrap}
tbody tr{position:relative}tbody tr:hover{background:light-dark(#f9fafc,#1f232a)}
td a{color:inherit;font-weight:600;text-decoration:none}td a::after{content:"";position:absolute;inset:0}td a:focus-visible{outline:0}
tr:has(a:focus-visible){outline:3px solid var(--accent);outline-offset:-3px}
.right{text-align:right}
.empty{padding:20px;color:var(--soft);margin:0}
.more{display:flex;flex-wrap:wrap;gap:8px 20px}
dl{display:grid;grid-template-columns:minmax(7rem,auto) minmax(0,1fr);gap:8px 20px;margin:0}dt{color:var(--soft)}dd{margin:0}
.todo{border-left:4px solid var(--warn)}.todo ul{margin:0;padding-left:20px;display:grid;gap:6px}
.story{list-style:none;margin:0;padding:0}
.story li{position:relative;padding:0 0 18px 26px}.story li:last-child{padding-bottom:0}
.story li::before{content:"";position:absolute;left:3px;top:.5em;width:10px;height:10px;border-radius:50%;background:var(--soft)}
.story li:not(:last-child)::after{content:"";position:absolute;left:7.5px;top:1.3em;bottom:-.3em;width:1px;background:var(--line)}
.story li[data-tone=good]::before{background:var(--good)}.story li[data-tone=warn]::before{background:var(--warn)}
.story li[data-tone=bad]::before{background:var(--bad)}.story li[data-tone=info]::before{background:var(--info)}
.acts{display:flex;flex-wrap:wrap;gap:12px;margin-top:16px;align-items:start}.acts form{margin:0}
details{min-width:0}summary{cursor:pointer;padding:9px 0;color:var(--accent)}
.stack{display:grid;gap:12px;max-width:28rem}
.sign{max-width:24rem;margin:8vh auto 0;width:100%}
@media (max-width:46rem){
main{padding:20px 14px 40px;gap:18px}.bar>div{padding:10px 14px}.bar b{flex-basis:100%}.bar nav{flex:1}
.filter{grid-template-columns:1fr 1fr}.filter .wide{grid-column:1/-1}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody,tr,td{display:block}tr{padding:14px 16px;border-bottom:1px solid var(--line)}tr:last-child{border-bottom:0}
td,td:first-child,td:last-child{border:0;padding:2px 0;text-align:left}td.num{white-space:normal}td[data-label]{display:flex;gap:12px;justify-content:space-between}
td[data-label]::before{content:attr(data-label);color:var(--soft)}td:empty{display:none}
dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:10px}
}
@media print{.bar,.filter,.acts,.more{display:none}body{background:none}}
`
