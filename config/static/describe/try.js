"use strict";

const place = document.getElementById("try");
SwaggerUIBundle({
  url: place.dataset.schema,
  dom_id: "#try",
  deepLinking: true,
  persistAuthorization: false,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
});
